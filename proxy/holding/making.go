package holding

import (
	"slices"

	"github.com/memverbs/memverbs/verbs/waiters/alarms"
)

// making is a key that a get has missed, and that its client is expected to store.
type making struct {
	key        Key
	maker      *Asker // nil if that is gone
	until      int64  // until when gets wait for the maker
	succession succession
	told       map[*Asker]struct{} // who was told the miss, the maker among them
	waits      []*Wait             // in the order in which they have begun; some are over
	live       int                 // how many are not
	probing    probing
	alarm      alarms.Alarm[func(now int64)] // when the maker's time is over, or later when e is forgotten
}

// succession says when a maker that is gone is replaced by a client that waits. Clients that ask, get the miss and close
// their connection would all be told one after another if each were replaced at once.
type succession uint8

const (
	atOnce succession = iota
	inTime            // when the maker's time is over, as one has been replaced at once
)

// add adds a wait.
func (e *making) add(w *Wait) {
	if len(e.waits) > 2*e.live+leastWaits {
		e.waits = slices.DeleteFunc(e.waits, func(w *Wait) bool { return !w.waits() })
	}
	e.waits = append(e.waits, w)
	e.live++
}

// leastWaits is from how many waits on those that are over are removed.
const leastWaits = 16

// first returns the wait that has begun first, nil if there is none.
func (e *making) first() *Wait {
	for len(e.waits) > 0 {
		if w := e.waits[0]; w.waits() {
			return w
		}
		e.waits[0], e.waits = nil, e.waits[1:]
	}
	return nil
}
