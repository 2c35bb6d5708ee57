package proxy

import "github.com/memverbs/memverbs/proxy/upstream"

// A large value is written to its client straight from the buffer that it was read to, if
// it is the client's turn to get it, and its start before the rest is there. A reply that has
// begun so can't be refused any more; if the rest does not come, all that is left is to close
// the client's connection.

// Streams implements [upstream.Streamer].
func (c *client) Streams(p *upstream.Pending, _ bool) bool { return c.takesBegun(p.Slot) }

// Take implements [upstream.Streamer]: it takes a piece of the first reply that the client
// is owed.
func (c *client) Take(_ *upstream.Pending, piece []byte) {
	if !c.gone {
		c.begun += len(piece)
		c.conn.Pass(piece)
	}
}

// Streams implements [upstream.Streamer]. What g keeps has to be whole values.
func (g *gather) Streams(_ *upstream.Pending, pieces bool) bool { return !pieces }
