package front

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/reply"
	"github.com/memverbs/memverbs/proxy/transport"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// A large value whose turn it is, is written to the client directly from the read buffer,
// while it is being received. Once it has begun, the reply can't be refused any more: if the
// rest does not arrive, the client's connection has to be closed.

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
		c.Replies.At(p.Slot).Quiet = false // memcached says what is wrong with the line
	}
	if t := c.Replies.At(p.Slot).Trace; t != nil {
		t.Away = c.loop.timing.Stamp().Since(p.Sent)
	}
	size := len(a.Data)
	if a.Lost && c.getFromSpare(p, a) {
		return
	}
	if a.Lost && p.Misses && !c.Replies.HasBegun(p.Slot) {
		c.answerDown(p, nil)
		return
	}
	if c.Replies.HasBegun(p.Slot) {
		if a.Fail {
			c.Abort()
			return
		}
		size, c.Replies.Begun = size+c.Replies.Begun, 0
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
	if c.Replies.Fill(p.Slot, a.Data, a.Whole != nil, a.Last == nil || a.Last.Kind == protocol.ReplyError, &c.Conn.Out) {
		a.Taken = true
	}
	c.Progress()
}

// Streams implements [upstream.Streamer].
func (c *Client) Streams(p *upstream.Pending, _ bool) bool { return c.passes(p) }

// Take implements [upstream.Streamer]: it sends a part of the first outstanding reply.
func (c *Client) Take(_ *upstream.Pending, piece []byte) {
	if !c.gone() {
		c.Replies.Begun += len(piece)
		c.pass(piece)
	}
}

// Straight implements [upstream.Streamer].
func (c *Client) Straight(p *upstream.Pending) *transport.Conn {
	if c.gone() || c.Input.Binary != nil || !c.passes(p) || !c.Conn.Moves() {
		return nil
	}
	return &c.Conn
}

// Moved implements [upstream.Streamer].
func (c *Client) Moved(_ *upstream.Pending, n int) { c.Replies.Begun += n }

// passes reports whether the reply to p can be sent in parts. That to a bundle of packets is divided
// by its keys first.
func (c *Client) passes(p *upstream.Pending) bool {
	return c.takesBegun(p.Slot) && (c.Input.Binary == nil || p.Keys <= 1)
}

// pass writes a part of the first outstanding reply without copying it.
func (c *Client) pass(piece []byte) {
	if c.Input.Binary != nil {
		piece = c.Input.Binary.Part(piece, &c.Conn.Out)
	}
	c.Conn.Pass(piece)
}
