package front

import (
	"errors"
	"io"
	"time"
)

// How a client leaves, see [departure].

// leave closes the connection after all outstanding replies have been written.
func (c *Client) leave() {
	c.input.ignore()
	c.depart()
}

// depart makes the client leave: it is closed when nothing is outstanding any more. A
// client that reads slowly still gets everything; one that reads nothing is closed.
func (c *Client) depart() {
	d := &c.departure
	if d.state >= leaving {
		return
	}
	c.loop.clock.Start()
	d.state, d.grace = d.state.left(), c.loop.clock.Span(c.patience())
	c.loop.Clients.Leaving[c] = struct{}{}
	c.moved()
	c.loop.wake(c)
}

// patience returns how long the client may receive nothing of its replies.
func (c *Client) patience() time.Duration { return c.routing.LongestAnswer() + c.loop.Pauses.Unmoved }

// Closed implements [transport.Owner]. A client that has only stopped sending still
// gets its replies, but waits for nothing more: it may be gone, and what is taken for it would be lost.
func (c *Client) Closed(err error) {
	if errors.Is(err, io.EOF) && c.outstanding() && c.departure.state < lingering && c.conn.Detach() == nil {
		c.input.end()
		c.depart()
		c.waitsNoMore()
		c.conn.Send()
		return
	}
	c.abort()
}

// waitsNoMore ends the waits of the client's verbs and gets, and keeps later ones from waiting.
func (c *Client) waitsNoMore() {
	c.callers.hurry()
	c.followed()
}

// Broken implements [transport.Owner].
func (c *Client) Broken(error) { c.abort() }

// abort closes the connection now and frees everything of the client. Replies that arrive later see
// that it is gone.
func (c *Client) abort() {
	if c.gone() {
		return
	}
	c.departure.state = gone
	if w := c.pace.waiter; w != nil {
		w.Gone = true
	}
	c.gate.stopTimer()
	c.callers.leave()
	c.leavesHolds()
	c.conn.End()
	c.replies.Drop(&c.loop.Buffers.Pool)
	c.forgetInput()
	c.input.parser = nil
	delete(c.loop.Clients.All, c)
	if c.departure.cause == lateness {
		c.loop.Clients.late--
	}
	delete(c.loop.Clients.Leaving, c)
	c.loop.Clients.Assigned.Add(-1)
	c.listener.Clients.Add(-1)
	c.loop.Departed()
}
