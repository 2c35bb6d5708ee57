package proxy

import "github.com/memverbs/memverbs/protocol"

// A client's retrievals go on second connections from when its values are expected
// to be bulkFrom bytes long, and no more when they are expected to be shorter than
// bulkUntil. The two differ, as a client with values of about one size should not
// change all the time: for that it has to wait for what is under way.
const (
	bulkFrom  = 32 << 10
	bulkUntil = 16 << 10
)

// lane is which connections to the upstreams a client uses. All that it has under
// way is either on first connections or on second ones, to whichever upstreams.
type lane struct {
	large  bool // the client's values are
	bulk   bool // the request that is being dispatched goes on a second connection
	first  int  // requests under way on first connections, but for the operations of verbs
	second int  // and on second ones
}

// expect enters how long the client's values are expected to be, in bytes.
func (n *lane) expect(size int) {
	n.large = size >= bulkFrom || n.large && size >= bulkUntil
}

// under returns the count of requests that are under way on connections of one kind.
func (n *lane) under(c *connection) *int {
	if c == &c.upstream.bulk.connection {
		return &n.second
	}
	return &n.first
}

// changesLane decides which connections req goes on. It reports whether req has to
// wait, as something of c's is under way on the others. c is woken then.
func (c *client) changesLane(req *protocol.Request) bool {
	c.lane.bulk = c.lane.large && c.goesBulk(req)
	if c.lane.bulk {
		return c.lane.first > 0 || len(c.executions) > 0
	}
	return c.lane.second > 0
}

// goesBulk reports whether req is a retrieval that can go on second connections: on
// those to all upstreams if it has several keys.
func (c *client) goesBulk(req *protocol.Request) bool {
	retrieves := req.Command.Retrieval() || req.Command == protocol.MetaGet
	if !retrieves || len(req.Key) == 0 || c.loop.carriage.load.named > 0 {
		return false
	}
	if req.NumWords == 1 || !req.Command.Retrieval() {
		return c.loop.locate(req.Key).bulk.ready()
	}
	ready := true
	for _, u := range c.loop.upstreams {
		ready = (u.bulk.ready() || u.state != up) && ready
	}
	return ready
}

// leaves is called when a request of c is not under way on a connection any more.
func (c *client) leaves(from *connection) {
	n := c.lane.under(from)
	if *n--; *n == 0 && c.blocked && !c.gone {
		c.loop.wake(c)
	}
}
