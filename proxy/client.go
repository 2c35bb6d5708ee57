package proxy

import (
	"cmp"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/transport"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// clientTurn is how much of its output is written to a client in one turn of the
// event loop, in bytes. Writing to a fast reader could take long while others wait.
const clientTurn = 128 << 10

// client is a client's connection: its input, split into requests, and its replies.
//
// A client is blocked, and its input waits, while too much is outstanding for it, or
// while its next request has to wait (admission.go). When that has ended, the client is
// woken.
type client struct {
	loop     *loop
	listener *config.Socket
	routing  *route.Table // that of the listener
	conn     transport.Conn

	gate      gate      // which of its requests are carried out
	input     input     // what it has sent
	pace      pace      // whether its next request has to wait
	lane      lane      // which connections to upstreams it uses
	callers   callers   // its verbs
	replies   replies   // what it is sent
	departure departure // whether it leaves

	restore *restore // for keys without an encoding, after the last use of such a route
}

// newClient returns a client of a listener that is to be enrolled with l.
func newClient(l *loop, at *config.Socket) *client {
	c := &client{loop: l, listener: at}
	c.lane.Owner, c.pace.turn.Owner = c, c
	c.input.parser.Verbs = catalog.Known
	c.conn.Init(l.net, clientTurn, &l.stats[status.Sent], c)
	c.replies.Counts, c.replies.Account = &l.stats, &l.account
	c.replies.Timing = &l.timing
	return c
}

// Opened implements [transport.Owner].
func (c *client) Opened(*transport.Conn) {
	c.replies.expected.size = c.loop.values.first()
	c.departure.opened = time.Now()
	c.loop.clients.all[c] = struct{}{}
	c.loop.stats[status.Accepted]++
	switch {
	case !c.reroute():
		c.abort()
	case c.loop.draining.Load():
		c.departure.cause = lateness
		c.loop.clients.late++
		c.dismiss()
	}
}

// name identifies the client in the log.
func (c *client) name() string {
	return cmp.Or(c.conn.Peer(), "unknown")
}

// held returns the memory kept for the client, in bytes.
func (c *client) held() int {
	return cap(c.input.bytes) + c.replies.memory() + c.conn.Memory()
}

// outstanding reports whether the client has not got everything yet: a reply, the rest of one, or the
// reply to a request that was received and has to wait.
func (c *client) outstanding() bool {
	return c.replies.Len() > 0 || c.conn.Out.Size() > 0 || c.blocked() && c.input.pending() > 0
}

// count counts req in the statistics of p; the parts of a long retrieval count as one.
func (c *client) count(req *protocol.Request, p *route.Pool) {
	c.spend(req.NumWords / wordsEffort)
	switch {
	case req.Verb != nil:
		p.Stats.Verbs.Verbs[req.Verb.Number].Calls++
		c.spend(verbEffort - 1)
	case c.replies.Long == nil:
		p.Stats.Commands[req.Command]++
	}
}

// Drained implements [transport.Owner].
func (c *client) Drained() {
	c.moved()
	if c.blocked() && !c.owed() || c.ending() {
		c.loop.wake(c)
	}
}

// HasOnly implements [execution.Owner].
func (c *client) HasOnly(n int) bool {
	return c.replies.Len() <= n && c.lane.First == 0 && c.lane.Second == 0
}

// LaneFree implements [upstream.LaneOwner].
func (c *client) LaneFree() {
	if c.blocked() && !c.gone() {
		c.loop.wake(c)
	}
}
