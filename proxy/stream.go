package proxy

import "github.com/memverbs/memverbs/proxy/upstream"

// A large value whose turn it is, is written to the client directly from the read buffer,
// while it is being received. Once it has begun, the reply can't be refused any more: if the
// rest does not arrive, the client's connection has to be closed.

// Streams implements [upstream.Streamer].
func (c *client) Streams(p *upstream.Pending, _ bool) bool { return c.passes(p) }

// passes reports whether the reply to p can be sent in parts. That to a bundle of packets is divided
// by its keys first.
func (c *client) passes(p *upstream.Pending) bool {
	return c.takesBegun(p.Slot) && (c.input.binary == nil || p.Keys <= 1)
}

// Take implements [upstream.Streamer]: it sends a part of the first outstanding reply.
func (c *client) Take(_ *upstream.Pending, piece []byte) {
	if !c.gone() {
		c.replies.Begun += len(piece)
		c.pass(piece)
	}
}

// pass writes a part of the first outstanding reply without copying it.
func (c *client) pass(piece []byte) {
	if c.input.binary != nil {
		piece = c.input.binary.Part(piece, &c.conn.Out)
	}
	c.conn.Pass(piece)
}

// Streams implements [upstream.Streamer]. g accepts only whole values.
func (g *gather) Streams(_ *upstream.Pending, pieces bool) bool { return !pieces }
