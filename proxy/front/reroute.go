package front

// reroute makes the client use the setup of its loop, and reports whether that has its
// listener.
func (c *Client) reroute() bool {
	r := c.loop.Pools.routings[c.listener]
	if r == nil {
		return false
	}
	c.routing = r
	c.setGate(c.gate.state.reloaded(c.demandsPassword()))
	return true
}

// sendAway makes the client leave when its requests so far have been answered. Nothing more is read
// from it, since its pools may be gone.
func (c *Client) sendAway() {
	c.conn.Pause()
	c.input.end()
	c.departure.cause = max(c.departure.cause, dismissal)
	c.depart()
	c.waitsNoMore()
}
