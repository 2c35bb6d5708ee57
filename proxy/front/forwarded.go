package front

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/reply"
	"github.com/memverbs/memverbs/proxy/transport"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// When a large value is the first outstanding reply, it is written to the client directly from the
// read buffer, while it is being received. Once a part of it is sent, the reply can't become an
// error any more: if the rest does not arrive, the client's connection has to be closed.

// Answered implements [upstream.Sink]. It takes the reply to a request that was forwarded.
func (c *Client) Answered(p *upstream.Pending, a *upstream.Answer) {
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
		c.replies.At(p.Slot).Quiet = false // memcached answers a malformed line even if it is quiet
	}
	if t := c.replies.At(p.Slot).Trace; t != nil {
		t.Away = c.loop.timing.Stamp().Since(p.Sent)
	}
	size := len(a.Data)
	if a.Outcome == upstream.Lost && c.getFromSpare(p, a) {
		return
	}
	if a.Outcome == upstream.Lost && p.Loss == upstream.LossMisses && !c.replies.HasBegun(p.Slot) {
		c.answerDown(p, a.Asked, nil)
		return
	}
	if c.replies.HasBegun(p.Slot) {
		if a.Failed() {
			c.abort()
			return
		}
		size, c.replies.Begun = size+c.replies.Begun, 0
		c.pass(a.Data) // more of the value may follow
		a.Data, a.Buffer = nil, upstream.Lent
	} else if size >= upstream.Large && a.Buffer == upstream.Lent && c.passes(p) {
		c.pass(a.Data)
		a.Data = nil
	}
	if a.Size > 0 {
		c.learn(a.Size)
	} else {
		c.learnOf(p, size)
	}
	if c.replies.Fill(p.Slot, a.Data, a.Buffer == upstream.Offered, a.Last == nil || a.Last.Kind == protocol.ReplyError, &c.conn.Out) {
		a.Buffer = upstream.Taken
	}
	c.Progress()
}

// Streams implements [upstream.Streamer].
func (c *Client) Streams(p *upstream.Pending, _ bool) bool { return c.passes(p) }

// Take implements [upstream.Streamer]: it sends a part of the first outstanding reply.
func (c *Client) Take(_ *upstream.Pending, piece []byte) {
	if !c.gone() {
		c.replies.Begun += len(piece)
		c.pass(piece)
	}
}

// Straight implements [upstream.Streamer].
func (c *Client) Straight(p *upstream.Pending) *transport.Conn {
	if c.gone() || c.input.binary != nil || !c.passes(p) || !c.conn.Moves() {
		return nil
	}
	return &c.conn
}

// Moved implements [upstream.Streamer].
func (c *Client) Moved(_ *upstream.Pending, n int) { c.replies.Begun += n }

// passes reports whether the reply to p can be sent in parts. The reply to a bundle of packets
// can't: it has to be divided by its keys first.
func (c *Client) passes(p *upstream.Pending) bool {
	return c.takesBegun(p.Slot) && (c.input.binary == nil || p.Keys <= 1)
}

// pass writes a part of the first outstanding reply without copying it.
func (c *Client) pass(piece []byte) {
	if c.input.binary != nil {
		piece = c.input.binary.Part(piece, &c.conn.Out)
	}
	c.conn.Pass(piece)
}
