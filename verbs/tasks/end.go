package tasks

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// These verbs decide on the queue as it was read, and append their token only if nothing has
// changed. Where others change the queue all the time, an order is given instead.

// taskdone ends a task.
var taskdone = verbs.Verb{
	Verb:  protocol.Verb{Name: "taskdone", Usage: "<queue> <stamp> [noreply]", Read: readStamp},
	Reads: true,
	Carry: &verbs.Carry{By: protocol.Delete, Shape: "<queue>/<stamp>", Words: 1},
	Run: onQueue(func(c taskCall) {
		put, n, _ := parseStamp(c.word(0))
		c.end(func(q *Queue) (*task, string) { return q.held(put, n) })
	}),
}

// taskdrop ends a task, whoever holds it.
var taskdrop = verbs.Verb{
	Verb:  protocol.Verb{Name: "taskdrop", Usage: "<queue> <id> [noreply]", Read: readDrop},
	Reads: true,
	Carry: &verbs.Carry{By: protocol.Delete, Shape: "<queue>/<id>", Words: 1},
	Run: onQueue(func(c taskCall) {
		id := c.word(0)
		c.end(func(q *Queue) (*task, string) {
			if t := q.withID(id); t != nil {
				return t, ""
			}
			return nil, "NOT_FOUND"
		})
	}),
}

// taskkeep holds a task on, from now on for some time.
var taskkeep = verbs.Verb{
	Verb:  protocol.Verb{Name: "taskkeep", Usage: "<queue> <stamp> <seconds> [noreply]", Read: readKeep},
	Reads: true,
	Carry: &verbs.Carry{By: protocol.Touch, Shape: "<queue>/<stamp>", Words: 1, Exptime: true},
	Run:   onQueue(func(c taskCall) { c.change(signKeep, c.holdUntil(c.number(1, 0))) }),
}

// taskretry gives a task back until a time.
var taskretry = verbs.Verb{
	Verb:  protocol.Verb{Name: "taskretry", Usage: "<queue> <stamp> <when> [noreply]", Read: readRetry},
	Reads: true,
	Carry: &verbs.Carry{By: protocol.Set, Value: verbs.WordsValue, Shape: "<queue>/<stamp>", Words: 1},
	Run: onQueue(func(c taskCall) {
		when := c.number(1, 0)
		if when == 0 {
			when = c.Env.Now()
		}
		c.change(signRetry, when)
	}),
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

// change appends a token by which the attempt in the request holds the task on until a time, or
// puts it off.
func (c taskCall) change(sign byte, time int64) {
	put, n, _ := parseStamp(c.word(0))
	answer := ""
	look := func(q *Queue) bool {
		t, refusal := q.held(put, n)
		if answer = refusal; t != nil {
			answer = "STORED"
		}
		return t != nil
	}
	r := c.Decide(false, func(_ *verbs.Pace, fold structure.Fold) []byte {
		if c.Buf = c.Buf[:0]; look(fold.(*Queue)) {
			c.Buf = appendChange(c.Buf, sign, put, n, time)
		}
		return c.Buf
	}, &structure.Order{
		Append: func(dst []byte, fold structure.Fold, _ *structure.OrderID) []byte {
			if look(fold.(*Queue)) {
				dst = appendChange(dst, sign, put, n, time)
			}
			return dst
		},
		Take: func(_ *verbs.Pace, fold structure.Fold, _ *structure.OrderID, _ int) (int, bool) {
			look(fold.(*Queue))
			return 0, true
		},
	})
	c.tell(r, answer)
}

// tell answers a call that has decided with an outcome.
func (c taskCall) tell(r verbs.Reply, answer string) {
	switch {
	case r.Status == verbs.Stored && answer != "":
		c.Say(answer)
	case r.Status == verbs.Missing:
		c.Say("NOT_FOUND")
	default:
		c.Fail(r)
	}
	c.tidy(r)
}

// takeover is how long a task is held that was taken over to be ended, in milliseconds: a day, so
// that no proxy takes it before it is ended, whatever its clock says and however long that takes. If
// the call never ends it, its client does not know the outcome, and has done the task as a rule.
const takeover = 24 * 60 * 60 * 1000

// end ends the task that which returns, or answers what it returns instead. As an order the call
// takes the task over, so that it is certain who has ended it.
func (c taskCall) end(which func(*Queue) (t *task, refusal string)) {
	for range verbs.MaxTries {
		e := ending{which: which, nonce: newNonce(c.Env)}
		r := c.Decide(false, e.decide, &structure.Order{Append: e.seize(c.Env.Now), Take: e.see})
		if r.Status == verbs.Stored && e.n > 0 {
			r = c.endTaken(&e)
		}
		if r.Status == verbs.Stored && e.answer == "" { // it was taken, kept or put off by another just before
			continue
		}
		c.tell(r, e.answer)
		if r.Status == verbs.Stored && e.answer == "DELETED" {
			c.Ask(c.content(verbs.Delete, e.put))
		}
		return
	}
	c.Fail(verbs.Contended(c.Key))
}

// ending is what a call that ends a task has decided.
type ending struct {
	which  func(*Queue) (t *task, refusal string)
	answer string // empty if the call has to try again
	put    []byte
	n      uint32 // the attempt as which it has taken the task over, 0 if it has not
	nonce  [nonceSize]byte
}

// decide returns the token that ends the task.
func (e *ending) decide(_ *verbs.Pace, fold structure.Fold) (tokens []byte) {
	q := fold.(*Queue)
	t, refusal := e.which(q)
	if e.answer, e.n = refusal, 0; t == nil {
		return nil
	}
	e.answer, e.put = "DELETED", bytes.Clone(t.put(q.log))
	return appendDrop(nil, e.put)
}

// seize returns a function that appends the token that takes the task over.
func (e *ending) seize(now func() int64) func(dst []byte, fold structure.Fold, _ *structure.OrderID) []byte {
	return func(dst []byte, fold structure.Fold, _ *structure.OrderID) []byte {
		q := fold.(*Queue)
		t, refusal := e.which(q)
		if e.answer, e.n = refusal, 0; t == nil {
			return dst
		}
		e.put, e.n = bytes.Clone(t.put(q.log)), t.attempts+1
		from := max(t.at(), now())
		return appendTake(dst, e.put, e.n, from, from+takeover, e.nonce[:])
	}
}

// see finds out whether the call has taken the task over.
func (e *ending) see(_ *verbs.Pace, fold structure.Fold, _ *structure.OrderID, _ int) (int, bool) {
	q := fold.(*Queue)
	if e.n == 0 {
		return 0, true
	}
	if t := q.find(e.put); t == nil || t.attempts != e.n || !bytes.Equal(t.nonce(q.log), e.nonce[:]) {
		e.n = 0
		_, e.answer = e.which(q) // why not
	}
	return 0, true
}

// endTaken ends the task that was taken over. Nobody else can have ended it meanwhile, but
// somebody may have dropped it by its id. If the queue is gone, so is the task.
func (c taskCall) endTaken(e *ending) verbs.Reply {
	r := c.AppendExisting(appendEnd(nil, e.put, e.n))
	if r.Status == verbs.Missing {
		r.Status = verbs.Stored
	}
	e.answer = "DELETED"
	return r
}
