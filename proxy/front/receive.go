package front

import (
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// Read implements [transport.Owner]. data is what the client has sent.
func (c *Client) Read(data []byte) {
	in := &c.input
	c.loop.Stats[status.Received] += uint64(len(data))
	c.loop.Clients.receipt++
	in.receipt, in.idle, c.pace.effort = c.loop.Clients.receipt, 0, 0
	if c.holds != nil {
		c.followed()
	}
	switch {
	case in.state == ignored:
		return
	case len(in.bytes) == 0 && !c.blocked():
		n := c.work(data, lateEffort)
		if n < len(data) && in.state != ignored {
			in.keep(data[n:], &c.loop.Buffers.Pool)
			if c.readOn() {
				c.Proceed()
			}
		}
		if c.ending() {
			c.loop.wake(c)
		}
	default:
		in.keep(data, &c.loop.Buffers.Pool)
		c.readOn()
		c.Proceed()
	}
	if c.blocked() && (c.departure.finishesSoon() || in.pending() > maxInput) {
		c.conn.Pause()
	}
}

// readOn reads more of a large request directly into the buffer that has its start, and reports
// whether the request is complete.
func (c *Client) readOn() bool {
	in := &c.input
	have, need := len(in.bytes), in.need()
	if c.blocked() || need < upstream.Large || have >= need {
		return false
	}
	n := c.conn.Read(in.bytes[have:min(need, cap(in.bytes))])
	c.loop.Stats[status.Received] += uint64(n)
	in.bytes = in.bytes[:have+n]
	return len(in.bytes) == need
}

// maxInput is how many bytes of a client's input may wait before reading is paused. An
// incomplete request may be longer.
const maxInput = 64 << 10
