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
	most := max(c.HeadLimit(c.Key)/longestTake, 1) // or the tokens would not fit into an item
	seconds, want := c.number(0, 1), min(int(c.number(1, 1)), most)
	var appended verbs.Reply
	empty := false // what the last try has taken had no contents
	all, others := c.look(want, seconds)
	for try := range verbs.MaxTries {
		if all == nil {
			break
		}
		r := c.give(func(dst []byte, claimed map[verbs.ID]bool) []byte { return all.append(dst, c.Env.Now(), claimed) }, all.see)
		if r.Status == verbs.Failed {
			c.Fail(r)
			return
		}
		if r.Grown > 0 {
			appended = r
		}
		if try > 0 { // perhaps memcached has evicted the contents of many
			others = append(others, all.unasked()...)
		}
		taken := all.taken()
		if len(taken) > 0 && c.handOut(taken, others) {
			break
		}
		if empty = len(taken) > 0; empty {
			c.sweep()
		}
		all, others = c.look(want, seconds)
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

// errEmpty refuses a take that has found nothing but tasks without contents. There may be more tasks
// that are due.
const errEmpty = "SERVER_ERROR memcached has evicted the contents of many tasks that were due; they were dropped; ask again"

// tidy tidies up after the last append.
func (c taskCall) tidy(r verbs.Reply) {
	if r.Grown > 0 {
		c.Tidy(c.Key, r.Grown, r.Size)
	}
}

// look reads the queue. It returns claims of tasks that are due, and the puts of a few others.
// If none is due, it answers the client and returns nil.
func (c taskCall) look(want int, seconds int64) (all *claims, others [][]byte) {
	s := c.LoadOne(c.Key, structure.Sampled)
	if s.Reply.Status == verbs.Missing {
		c.End()
		return nil, nil
	}
	q, _ := c.FoldOf(s).(*Queue)
	if q == nil {
		return nil, nil
	}
	if all = c.choose(q, want, seconds); len(all.list) > 0 {
		others = c.sample(q)
		c.GiveBack()
		c.measure(all)
		return all, others
	}
	c.End()
	c.AfterRead(c.Compaction(nil, s))
	return nil, nil
}
