package front

import (
	"errors"
	"io"
	"time"
)

// How a client leaves, see [departure].

// leave closes the connection after all outstanding replies have been written.
func (c *Client) leave() {
	c.Input.ignore()
	c.depart()
}

// depart makes the client leave: it is closed when nothing is outstanding any more. A
// client that reads slowly still gets everything; one that reads nothing is closed.
func (c *Client) depart() {
	d := &c.Departure
	if d.State >= leaving {
		return
	}
	c.loop.clock.Start()
	d.State, d.Grace = d.State.left(), c.patience()
	c.loop.Clients.Leaving[c] = struct{}{}
	c.moved()
	c.loop.Wake(c)
}

// patience returns how long the client may receive nothing of its replies.
func (c *Client) patience() time.Duration { return c.routing.LongestAnswer() + c.loop.Pauses.Unmoved }

// Closed implements [transport.Owner]. A client that has only stopped sending still
// gets its replies.
func (c *Client) Closed(err error) {
	if errors.Is(err, io.EOF) && c.outstanding() && c.Departure.State < lingering && c.Conn.Detach() == nil {
		c.Input.end()
		c.depart()
		c.Conn.Send()
		return
	}
	c.Abort()
}

// Broken implements [transport.Owner].
func (c *Client) Broken(error) { c.Abort() }

// Abort closes the connection now and frees everything of the client. Later replies find
// it gone.
func (c *Client) Abort() {
	if c.gone() {
		return
	}
	c.Departure.State = gone
	c.Pace.turn.Gone = true
	c.Gate.stopTimer()
	c.Callers.leave()
	c.Conn.End()
	c.Replies.Drop(&c.loop.Buffers)
	c.forgetInput()
	delete(c.loop.Clients.All, c)
	if c.Departure.cause == lateness {
		c.loop.Clients.late--
	}
	delete(c.loop.Clients.Leaving, c)
	c.loop.Clients.Assigned.Add(-1)
	c.listener.Clients.Add(-1)
	c.loop.Departed()
}
