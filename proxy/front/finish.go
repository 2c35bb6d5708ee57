package front

// finish closes a leaving client for which nothing is outstanding. If the client was sent a final
// error and still sends, closing at once would make its kernel discard the unread error, so the
// connection lingers.
func (c *Client) finish() {
	if s := c.departure.state; s > staying && s < leaving {
		c.takeLeave()
	}
	if c.departure.state != leaving || c.outstanding() {
		return
	}
	if !c.conn.Attached() {
		c.abort()
		return
	}
	c.linger()
}

// linger makes the connection last until the client has closed it too, but no longer than
// necessary.
func (c *Client) linger() {
	c.departure.state, c.departure.grace = c.departure.state.sent(), c.loop.clock.Span(c.departure.linger())
	c.input.ignore()
	c.moved()
	c.conn.CloseWrite()
	c.conn.Resume()
}

// onTick hurries a dismissed client, and closes a leaving one at its deadline, unless the client has
// read something meanwhile. Only the length of the socket's queue shows that: the socket becomes
// writable only after a large part of the queue has been read. Two other clients are not closed: one
// that has read all that the proxy has received so far of a large value, and one whose requests are
// in flight, since requests have time limits of their own.
func (c *Client) onTick() {
	d := &c.departure
	passed := c.loop.clock.Passed(d.until)
	if d.state < leaving {
		if passed && d.canBeHurried() {
			c.hurry()
		}
		return
	}
	if d.undelivered < 0 {
		d.undelivered = int32(c.conn.Undelivered())
	}
	if !passed {
		return
	}
	undelivered, inFlight := c.conn.Undelivered(), c.lane.First+c.lane.Second > 0
	if undelivered < int(d.undelivered) || inFlight || undelivered == 0 && c.replies.Begun > 0 && c.conn.Out.Size() == 0 {
		c.moved()
		return
	}
	if !c.receivesOn(undelivered) {
		c.abort()
	}
}

// receivesOn gives a dismissed client that has not received all replies more time, once.
// undelivered is what it has not received, in bytes.
func (c *Client) receivesOn(undelivered int) bool {
	d := &c.departure
	if !d.dismissed() || d.state != lingering || undelivered == 0 {
		return false
	}
	d.state, d.grace = d.state.extended(), c.loop.clock.Span(c.patience())
	c.moved()
	return true
}
