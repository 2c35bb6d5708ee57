package upstream

// A large reply may take long on a slow link, and so may those behind it on the same connection.
// While it arrives steadily, the time-outs of all of them stand still. It has to arrive at a
// minimum rate, so that an upstream that trickles can't delay requests for ever.

// excuse excludes the ticks since the last call from all time-outs if a large reply has arrived
// fast enough meanwhile. Data arrives in bursts, so what exceeds the minimum rate counts for later,
// up to the bytes of one time-out.
func (c *Connection) excuse() {
	ticks := c.env.Clock.Ticks - c.measured
	c.measured += ticks
	c.ahead = min(c.ahead+c.received, int(c.timeout)*c.rate)
	c.received = 0
	switch need := int(ticks) * c.rate; {
	case !c.reader.partial():
		c.ahead = 0
	case c.ahead >= need:
		c.ahead -= need
		c.excused += ticks
	}
}

// counted returns the ticks so far that count for deadlines.
func (c *Connection) counted() uint32 { return c.env.Clock.Ticks - c.excused }

// late returns how many counted ticks have passed since the deadline of p; it is negative before the
// deadline.
func (c *Connection) late(p *Pending) int32 { return int32(c.counted() - p.deadline) }

// overdue reports whether the deadline of p has passed.
func (c *Connection) overdue(p *Pending) bool { return c.late(p) >= 0 }

// timeToSend returns the deadline by which the upstream must have received everything
// in the output.
func (c *Connection) timeToSend() uint32 {
	return c.counted() + maxSending*c.timeout*(1+uint32(c.conn.Out.Size()/maxQueued))
}
