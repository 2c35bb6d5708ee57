package tasks

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// tasktake takes tasks that are due.
var tasktake = verbs.Verb{
	Verb:  protocol.Verb{Name: "tasktake", Usage: "<queue> <seconds> [<count>] [most <n>]" + verbs.WaitUsage, Read: readTake},
	Does:  "takes tasks that are due, and holds them for so many seconds; with most, only those taken fewer than <n> times; with wait, waits so many milliseconds until one is due; the last word of a VALUE line is the stamp",
	Reads: true, Waits: true, Class: mostOfTake,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<queue>/<seconds>[/<count>][/most/<n>]" + verbs.WaitShape, Words: 1, Times: 1, Named: []string{mostWord}, Listed: true},
	Run:   onQueue(taskCall.take),
}

func (c taskCall) take() {
	w := c.wanted()
	var appended verbs.Reply
	empty := false // none of the tasks that the last try has taken had its content
	all := c.begin(w)
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
		all = c.look(w)
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

// wanted returns what the request asks for.
func (c taskCall) wanted() (w wanted) {
	seconds, count, most, _ := wordsOfTake(c.Words)
	w = wanted{count: 1, most: mostAttempts}
	w.seconds, _ = protocol.ParseInt(seconds)
	if n, ok := protocol.ParseUint(count); ok {
		w.count = min(int(n), max(c.HeadLimit(c.Key)/longestTake, 1)) // so that the tokens fit into an item
	}
	if n, ok := protocol.ParseUint(most); ok {
		w.most = uint32(n)
	}
	return w
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
func (c taskCall) begin(w wanted) *claims {
	if c.Waits() && !c.mustMeasure(w.count) {
		return c.newClaims(w)
	}
	return c.look(w)
}

// look reads the queue, and returns empty claims. If no task is due, it answers the client and
// returns nil.
func (c taskCall) look(w wanted) *claims {
	s := c.LoadOne(c.Key, structure.Counted)
	q, _ := c.FoldOrEnd(s).(*Queue)
	if q == nil {
		return nil
	}
	if now := c.Env.Now(); !q.anyDue(q.paceFor(&c.Pace), now, w.most) {
		if len(q.due) > 0 {
			c.Seen.In = max(q.tasks[q.due[0]].at()-now, 0)
		}
		c.End()
		c.AfterRead(c.Compaction(nil, s))
		return nil
	}
	all := c.newClaims(w)
	if c.mustMeasure(w.count) {
		puts := c.toMeasure(q, w)
		c.Release()
		s.Forget() // the queue may have changed when the contents are known
		all.sizes = c.measure(puts)
	}
	return all
}
