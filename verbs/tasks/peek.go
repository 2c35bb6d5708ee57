package tasks

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// taskpeek answers with a task, and takes nothing.
var taskpeek = structure.Glancing{
	Kind:       &Kind,
	Brief:      func(*verbs.Call, format.Fold) bool { return true },
	Also:       func(c *verbs.Call, fold format.Fold) (verbs.Op, bool) { return contentSeen(c, fold.(*Queue)) },
	AnswerAlso: func(c *verbs.Call, fold format.Fold, r *verbs.Reply) bool { return peeked(c, fold.(*Queue), r) },
	Reads:      onQueue(taskCall.peek),
}.Complete(verbs.Verb{
	Verb:  protocol.Verb{Name: "taskpeek", Usage: "<queue> <id>", Read: readPeek},
	Does:  "answers with the task with an id as tasktake does, with the stamp of the last attempt, and takes nothing",
	Reads: true, ReadOnly: true,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<queue>/<id>", Words: 1, Listed: true},
})

// contentSeen returns the operation that fetches the content of the task that a call asks for, as the queue was when it was
// last read. It returns false if the queue had no such task.
func contentSeen(c *verbs.Call, q *Queue) (op verbs.Op, ok bool) {
	t := q.withID(c.Word(0))
	if t == nil {
		return op, false
	}
	c.Name = appendContentKey(c.Name[:0], c.Key, t.put(q.log))
	return c.Part(verbs.Fetch, c.Name), true
}

// peeked answers from a queue as it is now, given the reply to that operation, nil if there was none. It returns false if
// that was of another task, is too long to be answered at once, or has found nothing.
func peeked(c *verbs.Call, q *Queue, r *verbs.Reply) bool {
	t := q.withID(c.Word(0))
	switch {
	case t == nil:
	case r == nil || r.Status != verbs.Hit || len(r.Data) > c.Pace.Freely() || !isContent(c.Name, t.put(q.log)):
		return false
	default:
		c.AppendItem(q.id(t), r.Flags, r.Data, appendStamp(make([]byte, 0, longestStamp), t.put(q.log), t.attempts))
	}
	c.End()
	return true
}

// isContent reports whether key is that of the content of a put.
func isContent(key, put []byte) bool { return bytes.HasSuffix(key, put) }

// peek reads the queue, and then the content. If that is missing, the task has ended meanwhile, or was replaced, or
// memcached has evicted the content: the queue tells which when it is read again. In the last case, the next call that
// takes the task drops it.
func (c taskCall) peek() {
	var missing []byte // the put whose content was missing
	for range verbs.MaxTries {
		s, q := c.readQueue(structure.Counted)
		if q == nil {
			return
		}
		t := q.withID(c.Word(0))
		if t == nil || bytes.Equal(t.put(q.log), missing) {
			c.End()
			c.AfterRead(c.Compaction(nil, s))
			return
		}
		of := claim{put: bytes.Clone(t.put(q.log)), n: t.attempts, id: c.Word(0)}
		c.Release()
		switch r, fits := c.fetch(&of); {
		case !fits:
			c.Say(verbs.TooMuch)
			return
		case r.Status == verbs.Missing:
			missing = of.put
		case c.appendTaken(&of, &r):
			c.End()
			return
		default:
			return
		}
	}
	c.Fail(verbs.Contended(c.Shown(c.Key)))
}
