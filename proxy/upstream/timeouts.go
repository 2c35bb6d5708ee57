package upstream

import (
	"fmt"
	"time"

	"github.com/memverbs/memverbs/proxy/status"
)

// The time-out of a request starts when the upstream has received its last byte,
// because a large value, and the requests after it, may take long on a slow link.
// Sending has a more generous time limit, so that no request waits for ever on a slow
// connection. The time in which a large reply arrives steadily does not count (arrival.go).
// All of this is checked once a tick, so it costs requests that are answered sooner almost nothing.

// mostLate returns how late an answer may be before the connection is closed, as a multiple of the
// time-out. It is more on the second connection: only requests for large values wait there, and
// closing it would fail what is in flight on both.
func (c *Connection) mostLate() uint32 {
	if c.second {
		return maxSending
	}
	return 2
}

// onTick refuses the requests that have timed out. It closes the connection if there was no sign of
// life for the time-out. A connection that slowly transfers large data stays open, because later
// requests are better served on it than on a new one. But while a reply trickles, all requests
// behind it time out, so the connection is also closed if the oldest request is mostLate. It
// reports whether any requests are pending.
func (c *Connection) onTick() bool {
	if c.pending.len() == 0 {
		return false
	}
	c.excuse()
	c.noteProgress()
	c.refuseLate()
	timeout := c.env.Timeout
	switch silence := c.env.Clock.Ticks - c.heard; {
	case silence >= c.timeout, c.expired > 0 && !c.greeted:
		c.Fail(fmt.Sprintf("did not answer within %v", timeout))
	case c.sent < c.pending.len() && c.overdue(c.pending.at(c.sent)):
		c.Fail(fmt.Sprintf("takes what it is sent too slowly: less than %d kB within %v", maxQueued>>10, maxSending*timeout))
	case c.expired > 0 && c.late(c.pending.front()) >= int32(c.mostLate()*c.timeout):
		c.Fail(fmt.Sprintf("answers too slowly: a request was not answered within %v", time.Duration(1+c.mostLate())*timeout))
	}
	return c.pending.len() > 0
}

// noteProgress checks how much of the pending requests the upstream has received.
// Receiving more is a sign of life only while it has no complete request: afterwards
// the kernel goes on receiving even if the process hangs.
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
		p.deadline = c.counted() + c.timeout
	}
}

// refuseLate refuses the requests that have timed out.
func (c *Connection) refuseLate() {
	if c.expired == c.sent || !c.overdue(c.pending.at(c.expired)) {
		return
	}
	late := c.link.ErrorLine(fmt.Sprintf("did not answer within %v", c.env.Timeout))
	asked := c.Expected.first(uint32(c.Expected.len()))
	for n := range c.expired {
		asked = asked[c.pending.at(n).expected:]
	}
	for c.expired < c.sent && c.overdue(c.pending.at(c.expired)) {
		p := *c.pending.at(c.expired)
		c.pending.at(c.expired).Sink = nobody{}
		c.expired++
		c.link.Stats.Counts[status.Timeouts]++
		p.Sink.Answered(&p, &Answer{Data: late, Outcome: Lost, Asked: asked[:p.expected], By: c.link.Remote})
		asked = asked[p.expected:]
	}
}
