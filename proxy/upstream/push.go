package upstream

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/status"
)

// Ask sends a request of the proxy's own.
func (c *Connection) Ask(request string, p Pending) {
	p.Loss = LossUnnoticed
	c.conn.Out.Write([]byte(request))
	c.Push(&p)
}

// Request sends r.
func (c *Connection) Request(r *protocol.Request, p *Pending) {
	out := &c.conn.Out
	out.Extend(r.AppendTo(out.Room(r.Len())))
	c.Expected.Extend(r.Asked(c.Expected.text))
	c.Push(p)
}

// RequestIn is Request without copying the data block, which is input[from:] including its line
// end. It takes over input, a buffer of the pool.
func (c *Connection) RequestIn(input []byte, from int, r *protocol.Request, p *Pending) {
	out := &c.conn.Out
	out.Extend(r.AppendLine(out.Room(r.Len() - len(r.Data))))
	out.Own(input, from)
	c.Expected.Extend(r.Asked(c.Expected.text))
	c.Push(p)
}

// Push adds the request that has been appended to Out, and whose Asked has been appended
// to Expected, to the pending requests. It completes p and copies it.
func (c *Connection) Push(p *Pending) {
	c.env.Clock.Start()
	if c.pending.len() == 0 {
		c.heard, c.arrival = c.env.Clock.Ticks, arrival{measured: c.env.Clock.Ticks}
	}
	p.deadline = c.timeToSend()
	p.end, p.Sent = c.Next(), c.env.Time.Stamp()
	p.expected = c.Expected.take()
	c.pending.push(p)
	c.account()
	c.link.Stats.Counts[status.Requests]++
	if p.Unsized {
		c.Unsized += p.values()
	}
	if p.Lane != nil {
		*p.Lane.inFlight(c.second)++
	}
	if !c.touched {
		c.touched = true
		c.env.Batch.touched = append(c.env.Batch.touched, c)
	}
}
