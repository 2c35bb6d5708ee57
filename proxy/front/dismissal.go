package front

import "time"

// A client is dismissed when the proxy stops. It is closed when nothing is outstanding, so that it
// loses neither a request nor a reply.
//
// A client that has just connected is about to send its first request, so the proxy waits for that,
// and for the end of a batch of quiet requests. For a client that pipelines without a pause,
// something is always outstanding. So after a while it is hurried: what it has sent is answered,
// and a request of which it has sent a part, but nothing else.
//
// The protocol has no message for "this connection ends". So a client may send a request just when
// the proxy closes its side. Such a request is not carried out, and its client reads the end of the
// connection instead of a reply. The connection lingers, because closing it at once could reset it,
// and the client's kernel would discard replies that the client has not read yet.

// dismiss makes the client leave as soon as nothing is outstanding for it.
func (c *Client) dismiss() {
	d := &c.departure
	d.cause = max(d.cause, dismissal)
	c.waitsNoMore()
	switch {
	case d.state == staying:
		c.loop.clock.Start()
		d.until = c.loop.clock.After(c.loop.Pauses.LastRequests)
		d.state = d.state.dismissed(c.input.receipt == 0 && time.Since(c.loop.Started)-d.opened < c.loop.Pauses.LastRequests)
		c.loop.Clients.Leaving[c] = struct{}{}
		c.loop.wake(c)
	case d.state == lingering: // no longer than others that are dismissed
		d.grace = c.loop.clock.Span(d.linger())
		c.moved()
	}
}

// hurry makes a dismissed client leave after the request that it is sending.
func (c *Client) hurry() {
	c.departure.state = c.departure.state.hurried()
	if c.blocked() {
		c.conn.Pause()
	}
	c.loop.wake(c)
}

// takeLeave makes a dismissed client leave if nothing is outstanding.
func (c *Client) takeLeave() {
	d := &c.departure
	if c.input.receipt > 0 {
		d.state = d.state.heard()
	}
	switch {
	case c.blocked():
	case c.midRequest(), c.input.inBatch() && c.conn.Unreceived() > 0:
		d.state = d.state.inRequest()
	case d.state >= hurried, d.state == dismissed && c.pauses():
		c.leave()
	}
}

// pauses reports whether nothing is outstanding for the client, and no request is waiting to be
// read.
func (c *Client) pauses() bool {
	return !c.input.inBatch() && !c.outstanding() && c.conn.Unreceived() == 0
}
