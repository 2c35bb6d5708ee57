package proxy

import (
	"errors"
	"io"
	"time"
)

// How a client leaves, see [departure].

const (
	// lingerTime is how long a client may take to read the final error before its
	// connection is closed.
	lingerTime = 2 * time.Second
	// unmoved is how long a leaving client may read nothing of its replies, in addition
	// to the upstreams' time-out.
	unmoved = time.Minute
)

// ending reports whether the client is to be closed, or is.
func (c *client) ending() bool { return c.departure.state != staying }

// gone reports whether the client is closed.
func (c *client) gone() bool { return c.departure.state == gone }

// leave closes the connection after all outstanding replies have been written.
func (c *client) leave() {
	c.input.ignore()
	c.depart()
}

// depart makes the client leave: it is closed when nothing is outstanding any more. A
// client that reads slowly still gets everything; one that reads nothing is closed.
func (c *client) depart() {
	d := &c.departure
	if d.state >= leaving {
		return
	}
	c.loop.clock.Start()
	d.state, d.grace = d.state.left(), c.patience()
	c.loop.clients.leaving[c] = struct{}{}
	c.moved()
	c.loop.wake(c)
}

// patience returns how long the client may receive nothing of its replies.
func (c *client) patience() time.Duration { return c.routing.LongestAnswer() + c.loop.pauses.unmoved }

// moved extends the deadline of a leaving client after progress.
func (c *client) moved() {
	if d := &c.departure; d.state >= leaving {
		d.until, d.unread = c.loop.clock.After(d.grace), -1
	}
}

// finish closes a leaving client for which nothing is outstanding. If it has been sent
// a final error and still sends, closing at once would make its kernel discard the
// unread error, so the connection lingers.
func (c *client) finish() {
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
func (c *client) linger() {
	c.departure.state, c.departure.grace = c.departure.state.sent(), c.departure.linger()
	c.input.ignore()
	c.moved()
	c.conn.CloseWrite()
	c.conn.Resume()
}

// onTick hurries a dismissed client, and closes a leaving one at its deadline, unless it
// has read something meanwhile. That shows in the length of the socket's queue; the socket becomes
// writable only after a large part of that has been read. A client that has read
// everything received so far of a large value is not closed either, nor is one whose requests are in
// flight, as they have time limits of their own.
func (c *client) onTick() {
	d := &c.departure
	passed := c.loop.clock.Passed(d.until)
	if d.state < leaving {
		if passed && d.canBeHurried() {
			c.hurry()
		}
		return
	}
	if d.unread < 0 {
		d.unread = c.conn.Unread()
	}
	if !passed {
		return
	}
	unread, inFlight := c.conn.Unread(), c.lane.First+c.lane.Second > 0
	if unread < d.unread || inFlight || unread == 0 && c.replies.Begun > 0 && c.conn.Out.Size() == 0 {
		c.moved()
		return
	}
	if !c.receivesOn(unread) {
		c.abort()
	}
}

// receivesOn gives a dismissed client that has not received all replies more time, once.
// unread is what it has not received, in bytes.
func (c *client) receivesOn(unread int) bool {
	d := &c.departure
	if !d.dismissed() || d.state != lingering || unread == 0 {
		return false
	}
	d.state, d.grace = d.state.extended(), c.patience()
	c.moved()
	return true
}

// Closed implements [transport.Owner]. A client that has only stopped sending still
// gets its replies.
func (c *client) Closed(err error) {
	if errors.Is(err, io.EOF) && c.outstanding() && c.departure.state < lingering && c.conn.Detach() == nil {
		c.input.end()
		c.depart()
		c.conn.Send()
		return
	}
	c.abort()
}

// Broken implements [transport.Owner].
func (c *client) Broken(error) { c.abort() }

// abort closes the connection now and frees everything of the client. Later replies find
// it gone.
func (c *client) abort() {
	if c.gone() {
		return
	}
	c.departure.state = gone
	c.pace.turn.Gone = true
	c.gate.stopTimer()
	c.callers.leave()
	c.conn.End()
	c.replies.Drop(&c.loop.buffers)
	c.forgetInput()
	delete(c.loop.clients.all, c)
	if c.departure.cause == lateness {
		c.loop.clients.late--
	}
	delete(c.loop.clients.leaving, c)
	c.loop.clients.assigned.Add(-1)
	c.listener.Clients.Add(-1)
	c.loop.departed()
}
