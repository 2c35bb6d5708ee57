package front

// Reroute makes the client use the setup of its loop, and reports whether that has its
// listener.
func (c *Client) Reroute() bool {
	r := c.loop.Pools.routings[c.listener]
	if r == nil {
		return false
	}
	c.routing = r
	c.setGate(c.Gate.State.reloaded(c.demandsPassword()))
	return true
}

// sendAway makes the client leave after what it has asked for so far has been answered. It is not
// read any more, since its pools may be gone.
func (c *Client) sendAway() {
	c.Conn.Pause()
	c.Input.end()
	c.Departure.cause = max(c.Departure.cause, dismissal)
	c.depart()
}
