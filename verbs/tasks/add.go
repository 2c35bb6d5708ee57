package tasks

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// taskadd puts a task into a queue that has none with its id.
var taskadd = verbs.Verb{
	Verb:  protocol.Verb{Name: "taskadd", Usage: "<queue> <id> <when> <flags> <bytes> [noreply]", Read: readTask, Block: true},
	Does:  "puts a task into a queue as taskput does, unless the queue has one with that id, held or not",
	Reads: true,
	Carry: &verbs.Carry{By: protocol.Add, Value: verbs.DataValue, Shape: "<queue>/<id>/<when>", Words: 2},
	Run:   onQueue(taskCall.add),
}

// addition is what a call needs to add a task.
type addition struct {
	id     []byte
	tokens []byte // put the task
	first  *structure.First
	chosen bool // it is known whether the queue has a task with the id
	found  bool // it has one
}

// add stores the content, and then appends the token, but only if the queue has not changed since it was found
// to have no such task. So that no task is ever seen without its content, both are in one batch, content first,
// or the content goes before: if it may not fit, or if the call has to wait for others to decide.
func (c taskCall) add() {
	if r := c.RoomToAdd(len(c.Word(0)) + putOverhead); r.Status == verbs.Failed {
		c.Fail(r)
		return
	}
	put := verbs.NewID(c.Env)
	a := addition{id: c.Word(0)}
	a.tokens = appendPut(nil, c.time(1), put[:], a.id)
	if c.hasProbably(a.id) && c.has(&a) {
		return
	}
	content := c.content(verbs.Add, put[:])
	content.Data, content.Flags = c.Data, c.Flags
	c.Exptime = 0 // otherwise the queue would get the exptime of the command that carries the verb
	a.first = &structure.First{Op: content}
	if c.Waits() || !structure.Appended(c.Env, c.Key, len(a.tokens)) || !c.Fits(c.Key, content.Key, content.Data) {
		a.first.Reply, a.first.Asked = c.Ask(content), true
		if a.first.Reply.Status != verbs.Stored {
			c.Fail(a.first.Reply)
			return
		}
	}
	c.added(&a, put[:], c.DecideToAdd(a.first, a.choose))
}

// hasProbably reports whether the queue had a task with an id when it was last read.
func (c taskCall) hasProbably(id []byte) bool {
	q, _ := c.LastSeen().(*Queue)
	return q != nil && q.withID(id) != nil
}

// has finds out whether the queue has a task with the id. It returns true if the client has its answer.
func (c taskCall) has(a *addition) bool {
	r := c.Decide(false, func(_ *verbs.Pace, fold format.Fold) structure.Choice {
		a.found = fold.(*Queue).withID(a.id) != nil
		return structure.Choice{}
	}, nil)
	switch {
	case r.Status == verbs.Failed:
		c.Fail(r)
	case r.Status == verbs.Stored && a.found:
		c.Say("NOT_STORED")
	}
	return c.Answered()
}

// choose chooses the token that puts the task, unless the queue has one with the id, or the content was not stored.
func (a *addition) choose(_ *verbs.Pace, fold format.Fold) (choice structure.Choice) {
	a.chosen = true
	if a.found = fold.(*Queue).withID(a.id) != nil; a.found || a.first.Asked && a.first.Reply.Status != verbs.Stored {
		return choice
	}
	return structure.Choice{Tokens: a.tokens}
}

// added answers the client, given the outcome.
func (c taskCall) added(a *addition, put []byte, r verbs.Reply) {
	switch stored := a.first.Asked && a.first.Reply.Status == verbs.Stored; {
	case a.first.Asked && !stored:
		c.withdraw(put, a.first.Reply)
	case r.Status != verbs.Stored || !a.chosen:
		c.Fail(r)
	case a.found:
		if c.Say("NOT_STORED"); stored {
			c.Ask(c.content(verbs.Delete, put)) // nobody knows of it
		}
	default:
		c.Say("STORED")
		c.TidyDecided(r)
	}
}
