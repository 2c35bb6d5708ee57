package front

// finish closes a leaving client for which nothing is outstanding. If it has been sent
// a final error and still sends, closing at once would make its kernel discard the
// unread error, so the connection lingers.
func (c *Client) finish() {
	if s := c.Departure.State; s > staying && s < leaving {
		c.takeLeave()
	}
	if c.Departure.State != leaving || c.outstanding() {
		return
	}
	if !c.Conn.Attached() {
		c.Abort()
		return
	}
	c.linger()
}

// linger makes the connection last until the client has closed it too, but no longer than
// necessary.
func (c *Client) linger() {
	c.Departure.State, c.Departure.Grace = c.Departure.State.sent(), c.Departure.linger()
	c.Input.ignore()
	c.moved()
	c.Conn.CloseWrite()
	c.Conn.Resume()
}

// onTick hurries a dismissed client, and closes a leaving one at its deadline, unless it
// has read something meanwhile. That shows in the length of the socket's queue; the socket becomes
// writable only after a large part of that has been read. A client that has read
// everything received so far of a large value is not closed either, nor is one whose requests are in
// flight, as they have time limits of their own.
func (c *Client) onTick() {
	d := &c.Departure
	passed := c.loop.clock.Passed(d.until)
	if d.State < leaving {
		if passed && d.canBeHurried() {
			c.hurry()
		}
		return
	}
	if d.unread < 0 {
		d.unread = c.Conn.Unread()
	}
	if !passed {
		return
	}
	unread, inFlight := c.Conn.Unread(), c.lane.First+c.lane.Second > 0
	if unread < d.unread || inFlight || unread == 0 && c.Replies.Begun > 0 && c.Conn.Out.Size() == 0 {
		c.moved()
		return
	}
	if !c.receivesOn(unread) {
		c.Abort()
	}
}

// receivesOn gives a dismissed client that has not received all replies more time, once.
// unread is what it has not received, in bytes.
func (c *Client) receivesOn(unread int) bool {
	d := &c.Departure
	if !d.dismissed() || d.State != lingering || unread == 0 {
		return false
	}
	d.State, d.Grace = d.State.extended(), c.patience()
	c.moved()
	return true
}
