package proxy

import "time"

// A client is dismissed when the proxy stops. It is closed at the end of a reply, at a moment
// at which nothing of its own is lost, if it has such moments:
//
//	dismissed ─▶ has nothing outstanding ──────────────────────────────▶ leaving ─▶ lingers ─▶ closed
//	    └──────▶ hurried, after lastRequests ─▶ request complete ───────────┘
//
// A client that has just connected is about to send its first request, so this is awaited, and so
// is the end of a batch of quiet requests. One that pipelines without a pause has none that could
// be awaited, so it is hurried: what it has sent is answered, and a request of which it has sent a
// part, but nothing else.
//
// The protocol has no words for "this connection ends". So a client may send a request just when
// the proxy closes its side. Such a request is not carried out, and its client reads the end of
// the connection rather than a reply. The connection lingers because otherwise the client's
// kernel would be told to discard replies that it has not received yet.

const (
	// lastRequests is how long a dismissed client may go on: to send its first request if it has
	// just connected, or until it pauses if it sends many.
	lastRequests = time.Second
	// farewell is how long the connection of a dismissed client lingers if its machine has
	// received all replies.
	farewell = 100 * time.Millisecond
)

// dismiss makes the client leave as soon as nothing is outstanding for it.
func (c *client) dismiss() {
	switch {
	case c.dismissed:
		return
	case c.leaving: // it lingers no longer than others that are dismissed
		c.dismissed = true
		if c.linger {
			c.grace = farewell
			c.moved()
		}
		return
	}
	c.loop.clock.Start()
	c.dismissed, c.until = true, c.loop.clock.After(c.loop.config.lastRequests)
	c.loop.leaving[c] = struct{}{}
	c.fresh = c.receipt == 0 && time.Since(c.opened) < c.loop.config.lastRequests
	c.loop.wake(c)
}

// hurry makes a dismissed client leave after what it has begun to send.
func (c *client) hurry() {
	c.hurried, c.fresh = true, false
	if c.blocked {
		c.conn.Pause()
	}
	c.loop.wake(c)
}

// takeLeave makes a dismissed client leave if this is the moment.
func (c *client) takeLeave() {
	switch {
	case c.blocked:
	case c.midRequest(), c.inBatch() && c.conn.Unheard() > 0:
		c.last = c.hurried
	case c.hurried, c.pauses():
		c.leave()
	}
}

// midRequest reports whether a part of a request has been received.
func (c *client) midRequest() bool { return len(c.input) > 0 || c.longRetrieval != nil }

// pauses reports whether nothing is outstanding for the client, and no request is waiting to be
// read.
func (c *client) pauses() bool {
	c.fresh = c.fresh && c.receipt == 0
	return !c.fresh && !c.inBatch() && c.replies.len() == 0 && c.conn.Out.Size() == 0 && c.conn.Unheard() == 0
}

// inBatch reports whether the last request was a quiet one, of a batch whose end has not come. The
// client awaits the answer to that end, such as a noop's, to know which of the batch have none.
func (c *client) inBatch() bool {
	return c.quiet || c.binary != nil && c.binary.next.Quiet()
}

// ending reports whether the client is to be closed.
func (c *client) ending() bool { return c.dismissed || c.leaving }

// lingers makes the connection last until the client has closed it too, but no longer than
// necessary.
func (c *client) lingers() {
	c.linger, c.grace = true, lingering
	if c.dismissed {
		c.grace = farewell
	}
	c.moved()
	c.conn.CloseWrite()
	c.conn.Resume()
}

// receivesOn gives a dismissed client that has not received all replies more time, once.
// unread is what it has not received, in bytes.
func (c *client) receivesOn(unread int) bool {
	if !c.dismissed || !c.linger || c.slow || unread == 0 {
		return false
	}
	c.slow, c.grace = true, c.routing.longestAnswer()+c.loop.config.unmoved
	c.moved()
	return true
}
