package front

import (
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// Read implements [transport.Owner]. data is what the client has sent.
func (c *Client) Read(data []byte) {
	in := &c.Input
	c.loop.Stats[status.Received] += uint64(len(data))
	c.loop.Clients.receipt++
	in.receipt, in.idle, c.Pace.Effort = c.loop.Clients.receipt, 0, 0
	switch {
	case in.state == ignored:
		return
	case len(in.Bytes) == 0 && !c.Blocked():
		n := c.work(data, LateTurn)
		if n < len(data) && in.state != ignored {
			in.keep(data[n:], &c.loop.Buffers)
			if c.readOn() {
				c.Proceed()
			}
		}
		if c.Ending() {
			c.loop.Wake(c)
		}
	default:
		in.keep(data, &c.loop.Buffers)
		c.readOn()
		c.Proceed()
	}
	if c.Blocked() && (c.Departure.finishesSoon() || in.Pending() > maxInput) {
		c.Conn.Pause()
	}
}

// readOn reads more of a large request directly into the buffer with its start, and
// reports whether the request is complete.
func (c *Client) readOn() bool {
	in := &c.Input
	have, need := len(in.Bytes), in.need()
	if c.Blocked() || need < upstream.Large || have >= need {
		return false
	}
	n := c.Conn.Read(in.Bytes[have:min(need, cap(in.Bytes))])
	c.loop.Stats[status.Received] += uint64(n)
	in.Bytes = in.Bytes[:have+n]
	return len(in.Bytes) == need
}

// maxInput is how many bytes of a client's input may wait before reading is paused. An
// incomplete request may be longer.
const maxInput = 64 << 10
