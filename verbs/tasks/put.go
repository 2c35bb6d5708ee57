package tasks

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// taskput puts a task into a queue, in place of one with the same id.
var taskput = verbs.Verb{
	Verb:  protocol.Verb{Name: "taskput", Usage: "<queue> <id> <when> <flags> <bytes> [noreply]", Read: readTask, Block: true},
	Does:  "puts a task into a queue, due at <when>: milliseconds since 1970, 0 for now, +60000 for a minute from now",
	Carry: &verbs.Carry{By: protocol.Set, Value: verbs.DataValue, Shape: "<queue>/<id>/<when>", Words: 2},
	Run:   onQueue(taskCall.put),
}

// put adds the content and then appends the token, so that no task is ever seen without its
// content. Both are in one batch if the content is certain to fit; otherwise the content goes
// first, since the token would have to be undone if the content is refused.
func (c taskCall) put() {
	if r := c.RoomToAdd(len(c.Word(0)) + putOverhead); r.Status == verbs.Failed {
		c.Fail(r)
		return
	}
	put := verbs.NewID(c.Env)
	content := c.content(verbs.Add, put[:])
	content.Data, content.Flags = c.Data, c.Flags
	c.Exptime = 0 // otherwise the queue would get the exptime of the command that carries the verb
	tokens := appendPut(c.Buf[:0], c.time(1), put[:], c.Word(0))
	c.Buf = tokens
	token, ok := c.Creates(c.Key, tokens, c.Exptime)
	if !ok || len(tokens) > c.HeadLimit(c.Key) || !c.Fits(c.Key, content.Key, content.Data) {
		if r := c.Ask(content); r.Status != verbs.Stored {
			c.Fail(r)
			return
		}
		c.AppendTokens(tokens, true, false)
		return
	}
	replies := c.AskAll([]verbs.Op{content, token})
	added, appended := replies[0], replies[1]
	switch {
	case added.Status != verbs.Stored:
		c.withdraw(put[:], added)
	case appended.Status == verbs.Stored:
		c.Say("STORED")
		c.Tidy(c.Key, appended.Grown, appended.Size)
	case appended.Status == verbs.NotStored: // the head is full
		c.AppendTokens(tokens, true, true)
	default:
		c.Fail(appended)
	}
}

// withdraw drops a task whose content was not stored, and tells the client why.
func (c taskCall) withdraw(put []byte, failed verbs.Reply) {
	c.AppendExisting(appendDrop(nil, put))
	c.Fail(failed)
}
