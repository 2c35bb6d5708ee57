package execution

import (
	"slices"

	"github.com/memverbs/memverbs/verbs"
)

// A verb that is about to append to an item only if it is unchanged holds the item, because another
// append would make its own fail. Such verbs may follow one another without a pause, so that the
// other appends would wait for long. So the verb takes them along: one operation carries out its
// append and theirs.

// TakeAlong implements [structure.Env].
func (a *appends) TakeAlong(structure, key []byte, most int) (tokens []byte) {
	q := a.queueOf(structure, key)
	if q == nil || q.hold.holders == 0 || q.flight.state != empty {
		return nil
	}
	f, n := &q.flight, 0
	f.data = f.data[:0]
	for n < len(q.waiting) && q.waiting[n].joins() && !q.waiting[n].run.overtakes(q.key) && len(f.data)+len(q.waiting[n].op().Data) <= most {
		f.data = append(f.data, q.waiting[n].op().Data...)
		n++
	}
	if n > 0 {
		q.waiting, f.state = f.fill(q.waiting, n), f.state.taken()
		q.since = a.core.Clock.Ticks
	}
	return f.data
}

// TookAlong implements [structure.Env].
func (a *appends) TookAlong(structure, key []byte, outcome verbs.Reply) {
	q := a.queueOf(structure, key)
	done := outcome.Status == verbs.Stored || outcome.Status == verbs.Failed
	if done {
		for _, this := range q.flight.appends {
			a.replies = append(a.replies, appendReply{this, verbs.Reply{Status: outcome.Status, Err: outcome.Err}})
		}
	} else {
		q.waiting = slices.Insert(q.waiting, 0, q.flight.appends...)
	}
	if q.flight.end(); !done && !q.waiting[0].run.overtakes(q.key) {
		q.send()
	}
	if q.hold.holders == 0 { // the hold has expired
		a.freed = append(a.freed, q)
	}
}
