package front

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// takesBegun reports whether the reply of slot n can be sent to the client before it is
// complete.
func (c *Client) takesBegun(n uint32) bool {
	return c.gone() || n == c.replies.Head && c.replies.At(n).Long == nil
}

// owed reports whether so much is outstanding for the client that its next request must
// wait.
func (c *Client) owed() bool {
	if c.conn.Out.Size() >= maxOutput {
		return true
	}
	values := c.replies.Weight
	if !c.replies.expected.seen && values > 0 && (c.replies.Len() >= c.loop.values.guesses().replies || values*c.replies.expected.size() >= budget) {
		return true
	}
	return c.replies.Len() >= maxReplies || values > 0 && values*c.replies.expected.size()+c.replies.Held > budget
}

const (
	// maxOutput is how many bytes of output may wait for a client before its requests
	// are blocked.
	maxOutput = 256 << 10
	// maxReplies is how many replies may be outstanding for a client.
	maxReplies = 1024
)

// learn adjusts the guess of the client's value size to values of size bytes.
func (c *Client) learn(size int) {
	if !c.replies.expected.seen {
		c.loop.values.met.learn(size, c.loop.values.guesses().first)
	}
	c.replies.expected.learn(size, c.loop.values.guesses().least)
	c.lane.expect(c.replies.expected.size())
	c.loop.values.add(c.lane.large)
}

// learnOf adjusts the guess by a reply of size bytes to a request, if that asked for values.
func (c *Client) learnOf(p *upstream.Pending, size int) {
	if n := maxValues(p.Command, int(p.Keys)); n > 0 {
		c.learn(size / n)
	}
}

// reply sets the reply of a slot. fail says that it is an error.
func (c *Client) reply(slot uint32, data []byte, fail bool) {
	if c.gone() {
		return
	}
	c.replies.Fill(slot, data, false, fail, &c.conn.Out)
	c.Progress()
}

// replyOwned is reply with a buffer of the pool, which it takes over.
func (c *Client) replyOwned(slot uint32, data []byte, fail bool) {
	if c.gone() || !c.replies.Fill(slot, data, true, fail, &c.conn.Out) {
		c.loop.Buffers.Put(data)
	}
	c.Progress()
}

// Progress implements [execution.Owner]. It is called when a reply or a verb of the client
// has been completed.
func (c *Client) Progress() {
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
func (c *Client) refuse(line string) {
	c.spendOnAnswer(len(line))
	slot := c.replies.Reserve(0, c.replies.Long)
	out := c.loop.Buffers.Get(len(line) + 2)
	c.replyOwned(slot, append(append(out, line...), "\r\n"...), true)
}

// local answers the request with text that needs no upstream.
func (c *Client) local(text string) {
	c.spendOnAnswer(len(text))
	c.reply(c.replies.Reserve(0, nil), []byte(text), false)
}

// canPass reports whether bytes written now are part of the reply of slot n.
func (c *Client) canPass(n uint32) bool {
	long := c.replies.At(n).Long
	return n == c.replies.Head && c.input.binary == nil && (long == nil || !long.Failed)
}

// answerDown answers a request whose upstream is down, or has failed before it has answered. asked is what Asked of the request has returned.
func (c *Client) answerDown(p *upstream.Pending, asked, refusal []byte) {
	switch {
	case p.Loss == upstream.LossMisses && p.Quiet:
		c.reply(p.Slot, nil, false)
	case p.Loss == upstream.LossMisses:
		c.reply(p.Slot, protocol.AppendMissOf(nil, p.Command, asked), false)
	case !p.Quiet || p.Command.Meta():
		c.reply(p.Slot, refusal, true)
	}
}

// askedOf returns what Asked of a request returns, with the key as the client knows it.
func (c *Client) askedOf(req *protocol.Request) []byte {
	if req.Command != protocol.MetaGet {
		return nil
	}
	return req.Asked(append(c.loop.scratch.clientKey[:0], req.Prefix...))
}
