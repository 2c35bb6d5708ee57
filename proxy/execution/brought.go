package execution

import (
	"bytes"
	"strconv"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// A limit is not used where it was: it may end there at any time, by the clock of whoever asks, and then one proxy would go on
// counting there while another counts at the new place. Instead its counters are brought to the new place, before anything is
// added to them. Nobody changes them any more where they were, so all who bring them bring the same numbers; and whoever comes
// later changes nothing, as they are only added where they are missing.

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

// bringing is numbers that are being added.
type bringing struct {
	executor *Executor
	keys     []formerKey
	waiting  int
	failure  string
	then     func(failure string)
}

// bring has the numbers of keys added that former places have and that this loop has not brought before, and calls then. owner is the
// upstream that has the keys by now. req is the verb that is to begin then.
func (x *Executor) bring(req *protocol.Request, owner *pool.Member, keys []formerKey, then func(failure string)) {
	b := &bringing{executor: x, keys: keys, waiting: 1, then: then}
	exptime := catalog.Of(req).Brought(req, &x.env)
	for i := range keys {
		k := &keys[i]
		for n, number := range k.numbers {
			if number > 0 && !x.brought.has(k.traces[n]) {
				b.add(owner, &verbs.Op{Kind: verbs.Add, Key: k.traces[n], Of: k.text, Data: strconv.AppendUint(nil, number, 10), Exptime: exptime})
			}
		}
	}
	b.arrived()
}

func (b *bringing) add(owner *pool.Member, op *verbs.Op) {
	b.waiting++
	if reply, sent := b.executor.operate(owner, op, upstream.Pending{Sink: b}); !sent {
		b.failure = reply.Err
		b.arrived()
	}
}

// Answered implements [upstream.Sink].
func (b *bringing) Answered(_ *upstream.Pending, a *upstream.Answer) {
	if a.Failed() || a.Last.Kind == protocol.ReplyError {
		b.failure = string(bytes.TrimSpace(a.Data))
	}
	b.arrived()
}

// arrived is called when a number has been added, or can't be.
func (b *bringing) arrived() {
	if b.waiting--; b.waiting > 0 {
		return
	}
	for i := range b.keys {
		for n, number := range b.keys[i].numbers {
			if number > 0 && b.failure == "" {
				b.executor.brought.note(b.keys[i].traces[n])
			}
		}
	}
	b.then(b.failure)
}
