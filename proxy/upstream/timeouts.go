package upstream

import (
	"fmt"
	"time"
)

// A request has the time-out to be answered from when the upstream has the last byte
// of it: a large value takes its time on a slow link, and so do requests that wait
// behind it. What has not been sent in a generous time is given up too, so that
// nobody waits for ever behind a trickle. All of that is looked at once a tick, and
// costs a request that is answered sooner next to nothing.

// progress is how far the upstream is with what is pending, as far as the last
// tick could see.
type progress struct {
	confirmed Position // up to which bytes had arrived
	sent      int      // requests at the start of pending that had
	expired   int      // and those of them that were refused since, as their time was up
	heard     uint32   // the last tick with a sign of life
	greeted   bool     // the connection's first requests have been answered
}

// maxSending is how long the upstream may take to receive maxQueued bytes, as a
// multiple of its time to answer.
const maxSending = 10

// LongestAnswer returns how long a request may take, but for those behind more
// than usually waits to be sent, if an upstream has timeout to answer.
func LongestAnswer(timeout time.Duration) time.Duration { return (maxSending + 1) * timeout }

// timeToSend returns the deadline for what has been queued to be received.
func (c *Connection) timeToSend() uint32 {
	return c.env.Clock.Ticks + maxSending*c.timeout*(1+uint32(c.conn.Out.Size()/maxQueued))
}

// inFlight reports whether a request has been written that is not answered.
func (c *Connection) inFlight() bool {
	return c.pending.len() > 0 && !c.Written().Before(c.pending.front().end)
}

// onTick refuses the requests that have waited for too long. It gives up the
// connection if there was no sign of life meanwhile: one that is slow with a lot
// to send is not broken, and the requests behind are better off on it. It reports
// whether anything is waited for.
func (c *Connection) onTick() bool {
	if c.pending.len() == 0 {
		return false
	}
	c.noteProgress()
	c.refuseLate()
	timeout := c.env.Timeout
	switch silence := c.env.Clock.Ticks - c.heard; {
	case silence >= c.timeout, c.expired > 0 && !c.greeted:
		c.Fail(fmt.Sprintf("did not answer within %v", timeout))
	case c.sent < c.pending.len() && c.env.Clock.Passed(c.pending.at(c.sent).deadline):
		c.Fail(fmt.Sprintf("takes what it is sent too slowly: less than %d kB within %v", maxQueued>>10, maxSending*timeout))
	}
	return c.pending.len() > 0
}

// noteProgress looks how much of what is pending the upstream has received. That
// it receives more is a sign of life, but only as long as it can't answer: once it
// has a whole request, the system takes in others for a process that hangs.
func (c *Connection) noteProgress() {
	confirmed := c.Written() - Position(c.conn.Unconfirmed())
	if c.confirmed.Before(confirmed) {
		c.confirmed = confirmed
		if c.sent == 0 {
			c.heard = c.env.Clock.Ticks
		}
	}
	for ; c.sent < c.pending.len(); c.sent++ {
		p := c.pending.at(c.sent)
		if c.confirmed.Before(p.end) {
			return
		}
		p.deadline = c.env.Clock.Ticks + c.timeout
	}
}

// refuseLate refuses the requests that have not been answered in time.
func (c *Connection) refuseLate() {
	late := c.upstream.ErrorLine(fmt.Sprintf("did not answer within %v", c.env.Timeout))
	for c.expired < c.sent && c.env.Clock.Passed(c.pending.at(c.expired).deadline) {
		p := *c.pending.at(c.expired)
		c.pending.at(c.expired).Sink = nobody{}
		c.expired++
		c.upstream.Stats.Timeouts++
		p.Sink.Answered(&p, &Answer{Data: late, Fail: true})
	}
}
