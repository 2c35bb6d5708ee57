package tasks

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// tasktake takes tasks that are due.
var tasktake = verbs.Verb{
	Verb:  protocol.Verb{Name: "tasktake", Usage: "<queue> <seconds> [<count>]", Read: readTake},
	Does:  "takes tasks that are due, and holds them for so many seconds; the last word of a VALUE line is the stamp",
	Reads: true,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<queue>/<seconds>[/<count>]", Words: 1, Times: 1, Listed: true},
	Run:   onQueue(taskCall.take),
}

func (c taskCall) take() {
	most := max(c.HeadLimit(c.Key)/longestTake, 1) // so that the tokens fit into an item
	seconds, want := c.number(0, 1), min(int(c.number(1, 1)), most)
	var appended verbs.Reply
	empty := false // none of the tasks that the last try has taken had its content
	all := c.begin(want, seconds)
	for range verbs.MaxTries {
		if all == nil {
			break
		}
		r := c.GiveOrder(c.order(all))
		if r.Status == verbs.Failed {
			c.Fail(r)
			return
		}
		if r.Grown > 0 {
			appended = r
		}
		taken := all.taken()
		if empty = len(taken) > 0; empty && c.handOut(taken, all.others) || all.nothing && r.Status == verbs.Stored {
			break
		}
		if empty {
			c.sweep()
		}
		all = c.look(want, seconds)
	}
	switch {
	case c.Answered():
	case empty:
		c.Say(errEmpty)
	default:
		c.End() // others have taken all that were due
	}
	c.tidy(appended)
}

// errEmpty refuses a take that has found only tasks without contents, although more tasks may be
// due.
const errEmpty = "SERVER_ERROR memcached has evicted the contents of many tasks that were due; they were dropped; ask again"

// tidy tidies up after the last append.
func (c taskCall) tidy(r verbs.Reply) {
	if r.Grown > 0 {
		c.Tidy(c.Key, r.Grown, r.Size)
	}
}

// begin returns empty claims. A call that has to wait for others of the event loop anyway need not
// read the queue itself, unless it has to measure contents.
func (c taskCall) begin(want int, seconds int64) *claims {
	if c.Waits() && !c.mustMeasure(want) {
		return c.newClaims(want, seconds)
	}
	return c.look(want, seconds)
}

// look reads the queue, and returns empty claims. If no task is due, it answers the client and
// returns nil.
func (c taskCall) look(want int, seconds int64) *claims {
	s := c.LoadOne(c.Key, structure.Counted)
	if s.Reply.Status == verbs.Missing {
		c.End()
		return nil
	}
	q, _ := c.FoldOf(s).(*Queue)
	if q == nil {
		return nil
	}
	if !q.anyDue(c.Env.Now()) {
		c.End()
		c.AfterRead(c.Compaction(nil, s))
		return nil
	}
	all := c.newClaims(want, seconds)
	if c.mustMeasure(want) {
		puts := c.toMeasure(q, want)
		c.Release()
		s.Forget() // the queue may have changed when the contents are known
		all.sizes = c.measure(puts)
	}
	return all
}
