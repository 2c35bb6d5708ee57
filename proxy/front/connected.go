package front

import (
	"net"
	"time"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/transport"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// Opened implements [transport.Owner].
func (c *Client) Opened(*transport.Conn) {
	c.Replies.Expected.size = c.loop.values.first()
	c.Departure.opened = time.Now()
	c.loop.Clients.All[c] = struct{}{}
	c.loop.Stats[status.Accepted]++
	switch {
	case !c.Reroute():
		c.Abort()
	case c.loop.Draining.Load():
		c.Departure.cause = lateness
		c.loop.Clients.late++
		c.dismiss()
	}
}

// newClient returns a client of a listener that is to be enrolled with l.
func newClient(l *Loop, at *config.Socket) *Client {
	c := &Client{loop: l, listener: at}
	c.lane.Owner, c.Pace.turn.Owner = c, c
	c.Input.parser.Verbs = catalog.Known
	c.Conn.Init(l.net, clientTurn, &l.Stats[status.Sent], c)
	c.Replies.Counts, c.Replies.Account = &l.Stats, &l.Account
	c.Replies.Timing = &l.timing
	return c
}

// Drained implements [transport.Owner].
func (c *Client) Drained() {
	c.moved()
	if c.Blocked() && !c.owed() || c.Ending() {
		c.loop.Wake(c)
	}
}

// HasOnly implements [execution.Owner].
func (c *Client) HasOnly(n int) bool {
	return c.Replies.Len() <= n && c.lane.First == 0 && c.lane.Second == 0
}

// LaneFree implements [upstream.LaneOwner].
func (c *Client) LaneFree() {
	if c.Blocked() && !c.gone() {
		c.loop.Wake(c)
	}
}

// Enroll makes the other end of conn a client of a listener. The loop has counted it as assigned.
func (l *Loop) Enroll(conn net.Conn, at *config.Socket) error {
	return l.net.Enroll(conn, &newClient(l, at).Conn)
}

// clientTurn is how much of its output is written to a client in one turn of the
// event loop, in bytes. Writing to a fast reader could take long while others wait.
const clientTurn = 128 << 10
