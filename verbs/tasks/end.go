package tasks

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// These verbs read the queue, append a token that has an effect only if the attempt is still the
// latest, and read the queue again.

// taskdone ends a task.
var taskdone = verbs.Verb{
	Verb:  protocol.Verb{Name: "taskdone", Usage: "<queue> <stamp> [noreply]", Read: readStamp(nil)},
	Does:  "ends the task with a stamp that tasktake has given",
	Reads: true, Shrinks: true,
	Carry: &verbs.Carry{By: protocol.Delete, Shape: "<queue>/<stamp>", Words: 1},
	Run: onQueue(func(c taskCall) {
		put, n, _ := parseStamp(c.Word(0))
		c.end(func(q *Queue) (*task, string) { return q.held(put, n) }, func(dst, put []byte) []byte { return appendEnd(dst, put, n) })
	}),
}

// taskdrop ends a task, whoever holds it.
var taskdrop = verbs.Verb{
	Verb:  protocol.Verb{Name: "taskdrop", Usage: "<queue> <id> [noreply]", Read: readDrop},
	Does:  "ends the task with an id, whoever holds it",
	Reads: true, Shrinks: true,
	Carry: &verbs.Carry{By: protocol.Delete, Shape: "<queue>/<id>", Words: 1},
	Run:   onQueue(func(c taskCall) { c.end(func(q *Queue) (*task, string) { return q.named(c.Word(0)) }, appendDrop) }),
}

// taskkeep prolongs the hold on a task, to some time from now, or gives the task back at once.
var taskkeep = verbs.Verb{
	Verb:  protocol.Verb{Name: "taskkeep", Usage: "<queue> <stamp> <seconds> [noreply]", Read: readStamp(refusalOfKeep)},
	Does:  "holds the task with a stamp on, for so many seconds from now; a negative number gives it back",
	Reads: true,
	Carry: &verbs.Carry{By: protocol.Touch, Shape: "<queue>/<stamp>", Words: 1, Exptime: true},
	Run: onQueue(func(c taskCall) {
		if seconds, _ := protocol.ParseInt(c.Word(1)); seconds > 0 {
			c.change(signKeep, c.Env.Now()+1000*seconds)
		} else {
			c.change(signRetry, c.Env.Now())
		}
	}),
}

// taskretry gives a task back, to be due at a time.
var taskretry = verbs.Verb{
	Verb:  protocol.Verb{Name: "taskretry", Usage: "<queue> <stamp> <when> [noreply]", Read: readStamp(refusalOfWhen)},
	Does:  "gives the task with a stamp back, to be taken at <when> or later",
	Reads: true,
	Carry: &verbs.Carry{By: protocol.Set, Value: verbs.WordsValue, Shape: "<queue>/<stamp>", Words: 1},
	Run:   onQueue(func(c taskCall) { c.change(signRetry, c.time(1)) }),
}

// held returns the task of a put if n is its latest attempt; otherwise nil and the answer.
func (q *Queue) held(put []byte, n uint32) (t *task, refusal string) {
	switch t := q.find(put); {
	case t == nil || t.attempts < n:
		return nil, "NOT_FOUND"
	case t.attempts > n:
		return nil, "EXISTS"
	default:
		return t, ""
	}
}

// named returns the task with an id; otherwise nil and the answer.
func (q *Queue) named(id []byte) (t *task, refusal string) {
	if t = q.withID(id); t == nil {
		return nil, "NOT_FOUND"
	}
	return t, ""
}

// change appends a token by which the attempt in the request prolongs its hold until a time, or
// gives the task back.
func (c taskCall) change(sign byte, time int64) {
	put, n, _ := parseStamp(c.Word(0))
	if c.seek(func(q *Queue) (*task, string) { return q.held(put, n) }) == nil {
		return
	}
	answer := ""
	r := c.giveOrder(put, func(dst []byte) []byte { return appendChange(dst, sign, put, n, time) }, func(q *Queue) {
		_, answer = q.held(put, n)
		if givenBack := sign == signRetry && time <= c.Env.Now() && answer == "EXISTS"; answer == "" || givenBack {
			answer = "STORED" // another worker may already have taken the task that was given back
		}
	})
	c.tell(r, answer)
	c.tidy(r)
}

// end ends the task that which finds, with the token that token appends. If several calls end it at
// the same time, each of them finds it gone afterwards. The call that deletes its content has ended
// it.
func (c taskCall) end(which func(*Queue) (t *task, refusal string), token func(dst, put []byte) []byte) {
	put := c.seek(which)
	if put == nil {
		return
	}
	answer := ""
	r := c.giveOrder(put, func(dst []byte) []byte { return token(dst, put) }, func(q *Queue) {
		if answer = "EXISTS"; q.find(put) == nil {
			answer = "DELETED"
		}
	})
	if r.Status == verbs.Missing || r.Status == verbs.Stored && answer == "DELETED" {
		deleted := c.Ask(c.content(verbs.Delete, put))
		if deleted.Status == verbs.Missing { // it was deleted by another call, or evicted
			answer = "NOT_FOUND"
		} else if deleted.Status != verbs.Stored {
			c.Fail(deleted)
			return
		}
	}
	c.tell(r, answer)
	c.tidy(r)
}

// seek reads the queue and returns the put of the task that which finds. If that finds none, it
// answers the client and returns nil.
func (c taskCall) seek(which func(*Queue) (t *task, refusal string)) (put []byte) {
	q, _ := c.FoldOf(c.LoadOne(c.Key, structure.Counted)).(*Queue)
	if q == nil {
		return nil
	}
	t, refusal := which(q)
	if t == nil {
		c.Say(refusal)
		c.AfterRead(nil)
		return nil
	}
	put = bytes.Clone(t.put(q.log))
	c.Release()
	return put
}

// giveOrder appends a token that changes the task of a put, and calls see with the queue afterwards. It
// returns Stored; Missing if there is no queue; or Failed.
func (c taskCall) giveOrder(put []byte, token func(dst []byte) []byte, see func(*Queue)) verbs.Reply {
	return c.GiveOrder(&structure.Order{
		Append: func(dst []byte, to *structure.Batch) []byte {
			if to.Fold != nil {
				c.offerOf(to).withhold(put)
			}
			return token(dst)
		},
		Take: func(_ *verbs.Pace, fold format.Fold, _ *format.OrderID, _ int) (int, bool) {
			see(fold.(*Queue))
			return 0, true
		},
	})
}

// tell answers a call whose tokens were appended with an outcome.
func (c taskCall) tell(r verbs.Reply, answer string) {
	switch {
	case r.Status == verbs.Stored && answer != "":
		c.Say(answer)
	case r.Status == verbs.Missing:
		c.Say("NOT_FOUND")
	default:
		c.Fail(r)
	}
}
