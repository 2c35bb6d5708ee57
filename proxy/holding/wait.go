package holding

import "github.com/memverbs/memverbs/verbs/waiters/alarms"

// Get is a retrieval of one or several keys that may wait. The table calls its methods on any goroutine.
type Get interface {
	// Over is called once when the wait is over, unless [Table.Release] or [Table.Leave] has ended it.
	Over(Outcome)
	// Probe asks the server for one of the keys for which it waits, and then calls [Table.Stored] or [Table.Probed].
	Probe(Key)
}

// Outcome says why a wait is over.
type Outcome uint8

const (
	Stored  Outcome = iota // the keys are stored: the get asks again
	Missing                // its client gets the miss
)

// Wait is the wait of a get.
type Wait struct {
	get    Get
	asker  *Asker
	counts *Keys                         // that count it
	on     []*making                     // for which it waits; none once it is over
	alarm  alarms.Alarm[func(now int64)] // when its time is over
}

// waits reports whether the wait is not over.
func (w *Wait) waits() bool { return len(w.on) > 0 }
