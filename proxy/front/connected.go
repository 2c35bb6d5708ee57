package front

import (
	"net"
	"time"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/transport"
)

// Opened implements [transport.Owner].
func (c *Client) Opened(*transport.Conn) {
	c.replies.expected.guess = int32(c.loop.values.guesses().first)
	c.departure.opened = time.Since(c.loop.Started)
	c.loop.Clients.All[c] = struct{}{}
	c.loop.Stats[status.Accepted]++
	switch {
	case !c.reroute():
		c.abort()
	case c.loop.Draining.Load():
		c.departure.cause = lateness
		c.loop.Clients.late++
		c.dismiss()
	}
}

// newClient returns a client of a listener that is to be enrolled with l.
func newClient(l *Loop, at *config.Socket) *Client {
	c := &Client{loop: l, listener: at}
	c.lane.Owner = c
	c.conn.Init(l.net, writtenInTurn, c)
	c.replies.Common = &l.replies
	return c
}

// Wrote implements [transport.Owner].
func (c *Client) Wrote(n int) { c.loop.Stats[status.Sent] += uint64(n) }

// Drained implements [transport.Owner].
func (c *Client) Drained() {
	c.moved()
	if c.blocked() && !c.owed() || c.ending() {
		c.loop.wake(c)
	}
}

// HasOnly implements [execution.Owner].
func (c *Client) HasOnly(n int) bool {
	return c.replies.Len() <= n && c.lane.First == 0 && c.lane.Second == 0
}

// LaneFree implements [upstream.LaneOwner].
func (c *Client) LaneFree() {
	if c.blocked() && !c.gone() {
		c.loop.wake(c)
	}
}

// Enroll makes the other end of conn a client of a listener. The loop has counted it as assigned.
func (l *Loop) Enroll(conn net.Conn, at *config.Socket) error {
	return l.net.Enroll(conn, &newClient(l, at).conn)
}

// writtenInTurn is how much output is written to a client in one turn of the
// event loop, in bytes. Writing to a fast reader could take long while others wait.
const writtenInTurn = 128 << 10
