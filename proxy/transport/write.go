package transport

import "cmp"

// How the output of a Conn is written, see [schedule].

// write makes one attempt to write the output, followed by more.
func (c *Conn) write(more []byte) (int, error) {
	queued, most := c.Out.parts(), int(c.perTurn)
	switch {
	case c.secure != nil:
		return c.secure.write(c)
	case len(queued) == 0:
		return c.loop.poller.write(&c.handle, more)
	case len(queued) == 1 && len(more) == 0:
		rest := queued[0].rest()
		return c.loop.poller.write(&c.handle, rest[:min(len(rest), most)])
	}
	var parts [maxParts][]byte
	n, size := 0, 0
	for ; n < min(maxParts, len(queued)) && size < most; n++ {
		rest := queued[n].rest()
		parts[n] = rest[:min(len(rest), most-size)]
		size += len(parts[n])
	}
	if len(more) > 0 && size == c.Out.Size() && n < maxParts {
		parts[n] = more
		n++
	}
	return c.loop.poller.writev(&c.handle, parts[:n])
}

// Pass writes the output and then p at once, without copying p, and queues a copy of
// what the socket does not accept of p.
func (c *Conn) Pass(p []byte) {
	if c.secure != nil {
		c.secure.pass(c, p)
		return
	}
	if c.schedule.accepts() {
		n, _ := c.write(p) // an error will occur again when the rest is written
		n = max(n, 0)
		c.owner.Wrote(n)
		queued := min(n, c.Out.Size())
		c.Out.advance(queued)
		p = p[n-queued:]
	}
	c.Out.Write(p)
	c.Send()
}

// fail ends the Conn after a failed write.
func (c *Conn) fail(err error) {
	if c.secure != nil {
		err = cmp.Or(c.secure.lastWords(c), err)
	}
	c.schedule = over
	c.Out.Drop()
	c.owner.Broken(err)
}
