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
	case len(in.bytes()) == 0 && !c.blocked():
		n := c.work(data, lateEffort)
		if n < len(data) && in.state != ignored {
			c.keep(data[n:])
			if c.readOn() {
				c.Proceed()
			}
		}
		if c.ending() {
			c.loop.wake(c)
		}
	default:
		c.keep(data)
		c.readOn()
		c.Proceed()
	}
	if c.blocked() && (c.departure.finishesSoon() || in.pending() > maxInput) {
		c.conn.Pause()
	}
}

// keep adds what the client has sent to what waits.
func (c *Client) keep(data []byte) {
	c.useBacklog().keep(data, c.input.need(), &c.loop.Buffers.Pool)
}

// readOn reads more of a large request directly into the buffer that has its start, and reports
// whether the request is complete.
func (c *Client) readOn() bool {
	b, need := c.input.backlog, c.input.need()
	have := len(b.bytes)
	if c.blocked() || need < upstream.Large || have >= need {
		return false
	}
	n := c.conn.Read(b.bytes[have:min(need, cap(b.bytes))])
	c.loop.Stats[status.Received] += uint64(n)
	b.bytes = b.bytes[:have+n]
	return len(b.bytes) == need
}

// maxInput is how many bytes of a client's input may wait before reading is paused. An
// incomplete request may be longer.
const maxInput = 64 << 10
