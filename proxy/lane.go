package proxy

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// A client's retrievals go on second connections from when its values are expected
// to be bulkFrom bytes long, and no more when they are expected to be shorter than
// bulkUntil. The two differ, as a client with values of about one size should not
// change all the time: for that it has to wait for what is under way.
const (
	bulkFrom  = 32 << 10
	bulkUntil = 16 << 10
)

// lane is which connections to the upstreams a client uses. All that it has under
// way, but for the operations of verbs, is either on first connections or on second
// ones, as its requests must take effect in their order.
type lane struct {
	upstream.Lane
	large bool // the client's values are
	bulk  bool // the request that is being dispatched goes on a second connection
}

// expect enters how long the client's values are expected to be, in bytes.
func (n *lane) expect(size int) {
	n.large = size >= bulkFrom || n.large && size >= bulkUntil
}

// changesLane decides which connections req goes on. It reports whether req has to
// wait, as something of c's is under way on the others. c is woken then.
func (c *client) changesLane(req *protocol.Request) bool {
	c.lane.bulk = c.lane.large && c.goesBulk(req)
	if c.lane.bulk {
		return c.lane.First > 0 || len(c.executions) > 0
	}
	return c.lane.Second > 0
}

// goesBulk reports whether req is a retrieval that can go on second connections: on
// those to all upstreams if it has several keys.
func (c *client) goesBulk(req *protocol.Request) bool {
	retrieves := req.Command.Retrieval() || req.Command == protocol.MetaGet
	if !retrieves || len(req.Key) == 0 || c.loop.carriage.load.named > 0 {
		return false
	}
	if req.NumWords == 1 || !req.Command.Retrieval() {
		return c.loop.locate(req.Key).Bulk.Ready()
	}
	ready := true
	for _, u := range c.loop.upstreams.all {
		ready = (u.Bulk.Ready() || u.State != upstream.Up) && ready
	}
	return ready
}

// LaneFree implements [upstream.LaneOwner].
func (c *client) LaneFree() {
	if c.blocked && !c.gone {
		c.loop.wake(c)
	}
}
