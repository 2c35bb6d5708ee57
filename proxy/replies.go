package proxy

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/reply"
	"github.com/memverbs/memverbs/proxy/upstream"
)

const (
	// maxOutput is how many bytes of output may wait for a client before its requests
	// are blocked.
	maxOutput = 256 << 10
	// maxReplies is how many replies may be outstanding for a client.
	maxReplies = 1024
)

// replies is what a client is sent, and how much of that is expected.
type replies struct {
	reply.Queue
	expected  expected // of values
	gathering int      // bytes of the client's gathers, including the values received
}

// memory returns the memory of the replies that were not written, in bytes.
func (r *replies) memory() int { return r.Queue.Memory() + r.gathering }

// owed reports whether so much is outstanding for the client that its next request must
// wait.
func (c *client) owed() bool {
	if c.conn.Out.Size() >= maxOutput {
		return true
	}
	values := c.replies.Weight
	if !c.replies.expected.seen && values > 0 && (c.replies.Len() >= c.loop.values.mostFirst() || values*c.replies.expected.size >= budget) {
		return true
	}
	return c.replies.Len() >= maxReplies || values > 0 && values*c.replies.expected.size+c.replies.Held > budget
}

// Answered implements [upstream.Sink]. It takes the reply to a request that was forwarded.
func (c *client) Answered(p *upstream.Pending, a *upstream.Answer) {
	if c.gone() {
		return
	}
	if p.Quiet && protocol.Silent(p.Command, a.Data) {
		if p.Command.Meta() {
			c.learnOf(p, len(a.Data))
			c.reply(p.Slot, nil, false)
		}
		return
	}
	if a.Last != nil && a.Last.Kind == protocol.ReplyError && !reply.IsServerError(a.Data) {
		c.replies.At(p.Slot).Quiet = false // memcached says what is wrong with the line
	}
	if t := c.replies.At(p.Slot).Trace; t != nil {
		t.Away = c.loop.timing.Stamp().Since(p.Sent)
	}
	size := len(a.Data)
	if a.Lost && c.getFromSpare(p, a) {
		return
	}
	if a.Lost && p.Misses && !c.replies.HasBegun(p.Slot) {
		c.answerDown(p, nil)
		return
	}
	if c.replies.HasBegun(p.Slot) {
		if a.Fail {
			c.abort()
			return
		}
		size, c.replies.Begun = size+c.replies.Begun, 0
		c.pass(a.Data)             // more of the value may follow
		a.Data, a.Whole = nil, nil // so the buffer stays the reader's
	} else if size >= upstream.Large && a.Whole == nil && c.passes(p) {
		c.pass(a.Data)
		a.Data = nil
	}
	if a.Size > 0 {
		c.learn(a.Size)
	} else {
		c.learnOf(p, size)
	}
	if c.replies.Fill(p.Slot, a.Data, a.Whole != nil, a.Last == nil || a.Last.Kind == protocol.ReplyError, &c.conn.Out) {
		a.Taken = true
	}
	c.Progress()
}

// takesBegun reports whether the reply of slot n can be sent to the client before it is
// complete.
func (c *client) takesBegun(n uint32) bool {
	return c.gone() || n == c.replies.Head && c.replies.At(n).Long == nil
}

// maxValues returns the greatest number of values in the reply to command with that
// number of keys.
func maxValues(command protocol.Command, keys int) int {
	if command.Retrieval() {
		return keys
	}
	if command == protocol.MetaGet || command == protocol.MetaArithmetic {
		return 1
	}
	return 0
}

// learn adjusts the guess of the client's value size to values of size bytes.
func (c *client) learn(size int) {
	if !c.replies.expected.seen {
		c.loop.values.met.learn(size, c.loop.values.first())
	}
	c.replies.expected.learn(size, c.loop.values.least())
	c.lane.expect(c.replies.expected.size)
	c.loop.values.add(c.lane.large)
}

// learnOf adjusts the guess by a reply of size bytes to a request, if that asked for values.
func (c *client) learnOf(p *upstream.Pending, size int) {
	if n := maxValues(p.Command, int(p.Keys)); n > 0 {
		c.learn(size / n)
	}
}

// reply sets the reply of a slot. fail says that it is an error.
func (c *client) reply(slot uint32, data []byte, fail bool) {
	if c.gone() {
		return
	}
	c.replies.Fill(slot, data, false, fail, &c.conn.Out)
	c.Progress()
}

// replyOwned is reply with a buffer of the pool, which it takes over.
func (c *client) replyOwned(slot uint32, data []byte, fail bool) {
	if c.gone() || !c.replies.Fill(slot, data, true, fail, &c.conn.Out) {
		c.loop.buffers.Put(data)
	}
	c.Progress()
}

// Progress implements [execution.Owner]. It is called when a reply or a verb of the client
// has been completed.
func (c *client) Progress() {
	if c.gone() {
		return
	}
	if c.replies.Len() > 0 { // probably the client waits for these, too
		c.conn.SendLater()
	} else {
		c.conn.Send()
	}
	c.moved()
	if c.blocked() || c.ending() {
		c.loop.wake(c)
	}
}

// refuse answers the request with a line of the proxy's own.
func (c *client) refuse(line string) {
	c.spendOnAnswer(len(line))
	slot := c.replies.Reserve(0, c.replies.Long)
	out := c.loop.buffers.Get(len(line) + 2)
	c.replyOwned(slot, append(append(out, line...), "\r\n"...), true)
}

// local answers the request with text that needs no upstream.
func (c *client) local(text string) {
	c.spendOnAnswer(len(text))
	c.reply(c.replies.Reserve(0, nil), []byte(text), false)
}
