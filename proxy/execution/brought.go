package execution

import (
	"bytes"
	"strconv"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// A limit is not used where it was: it may end there at any time, by the clock of whoever asks, and then one proxy would go on
// counting there while another counts at the new place. Instead its counters are brought to the new place, before anything is
// added to them. Nobody changes them any more where they were, so all who bring them bring the same numbers; and whoever comes
// later changes nothing, as they are only added where they are missing.

// brings reports whether the verb's structures are brought to where the pool says.
func (d *displaced) brings() bool { return catalog.Of(&d.req).Brought != nil }

// counts notes the numbers that a former place has, given its reply.
func (k *formerKey) counts(values []byte) {
	if k.numbers == nil {
		k.numbers = make([]uint64, len(k.traces))
	}
	for i, trace := range k.traces {
		length := protocol.CutValue(values, trace)
		var value protocol.Reply
		if _, _, err := protocol.ParseReply(values[:length], &value); err == nil {
			n, _ := protocol.ParseUint(bytes.TrimRight(value.Data, " "))
			k.numbers[i] = max(k.numbers[i], n)
		}
		values = values[length:]
	}
}

// bring has the numbers added that the former places have and that this loop has not brought before, and then begins the verb.
func (d *displaced) bring() {
	x := d.executor
	arrivals := &arriving{displaced: d, waiting: 1}
	for i := range d.keys {
		k := &d.keys[i]
		for n, number := range k.numbers {
			if number == 0 || x.brought.has(k.traces[n]) {
				continue
			}
			op := verbs.Op{Kind: verbs.Add, Key: k.traces[n], Of: k.text, Data: strconv.AppendUint(nil, number, 10), Exptime: catalog.Of(&d.req).Brought(&d.req, &x.env)}
			arrivals.waiting++
			if reply, sent := x.operate(d.owner, &op, upstream.Pending{Sink: arrivals}); !sent {
				d.failure = []byte(reply.Err)
				arrivals.arrived()
			}
		}
	}
	arrivals.arrived()
}

// arriving is the numbers that are being added.
type arriving struct {
	*displaced
	waiting int
}

// Answered implements [upstream.Sink].
func (a *arriving) Answered(_ *upstream.Pending, reply *upstream.Answer) {
	if reply.Failed() || reply.Last.Kind == protocol.ReplyError {
		a.failure = bytes.Clone(bytes.TrimSpace(reply.Data))
	}
	a.arrived()
}

// arrived begins the verb once all have been added.
func (a *arriving) arrived() {
	if a.waiting--; a.waiting > 0 {
		return
	}
	if a.failure != nil {
		a.refuse(string(a.failure))
		return
	}
	for i := range a.keys {
		for n, number := range a.keys[i].numbers {
			if number > 0 {
				a.executor.brought.note(a.keys[i].traces[n])
			}
		}
	}
	a.beginInPlace()
}
