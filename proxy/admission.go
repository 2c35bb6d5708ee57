package proxy

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// Before a request is carried out it may have to wait, in this order:
//
//   - for earlier requests of the same client, which must take effect before it
//     (follows): no queue is needed, their end wakes the client;
//   - for the connections that it goes on (connectionqueue.go);
//   - if it begins a verb with large arguments, for memory (argumentroom.go);
//   - if it begins a verb, until fewer are under way (verbslots.go).
//
// The last three have queues (queue.go). A request that waits is kept as it was read
// (waiting.go), and the client's further input waits after it.

// admits reports whether req can be carried out now. If not, c is woken when it is worth
// another look.
func (c *client) admits(req *protocol.Request) bool {
	if c.follows(req) || !c.hasConnections(req) {
		return false
	}
	begins := req.Verb != nil || c.loop.carriage.load.named > 0
	if begins && !(c.hasArgumentRoom(req) && c.hasVerbSlot(req)) {
		return false
	}
	c.share -= max(1, req.NumWords)
	return true
}

// follows reports whether req has to wait for earlier requests of c: stats for all
// replies, as they are counted; what goes on the other kind of connections than those in
// flight; and what conflicts with a verb that is under way.
func (c *client) follows(req *protocol.Request) bool {
	return req.Command == protocol.Stats && c.replies.len() > 0 ||
		c.changesLane(req) || len(c.executions) > 0 && c.conflicts(req)
}

// hasConnections reports whether there is room on the connections that req goes on. c
// waits for the first that has none.
func (c *client) hasConnections(req *protocol.Request) bool {
	c.several = c.asksSeveral(req)
	if !c.several {
		return len(req.Key) == 0 || c.loop.locate(req.Key).hasRoom(c)
	}
	for _, u := range c.loop.upstreams.all {
		if (u.Tried || c.asks(req, u)) && !u.hasRoom(c) {
			return false
		}
	}
	return true
}

// hasRoom reports whether c can ask g for something, as far as the connection and those
// who wait for it are concerned. An upstream that is down refuses at once.
func (g *gate) hasRoom(c *client) bool {
	return g.Tried && g.State != upstream.Up || g.queue(c.lane.bulk).admits(c)
}

// asksSeveral reports whether req may be for several upstreams.
func (c *client) asksSeveral(req *protocol.Request) bool {
	many := req.NumWords > 1 && (req.Command.Retrieval() || takesKeys(req))
	return many || req.Command.Retrieval() && c.loop.carriage.load.named > 0 || req.Command == protocol.FlushAll
}

// asks reports whether req is for u too, as far as can be told beforehand. What
// a verb asks for further keys waits by itself, see carryOut.
func (c *client) asks(req *protocol.Request, u *gate) bool {
	if !req.Command.Retrieval() && !takesKeys(req) {
		return req.Command == protocol.FlushAll
	}
	for rest := req.Words; ; {
		var key []byte
		if key, rest = protocol.NextWord(rest); len(key) == 0 {
			return false
		}
		if c.loop.locate(key) == u {
			return true
		}
	}
}

// takesKeys reports whether req is a verb whose words are keys.
func takesKeys(req *protocol.Request) bool {
	v := catalog.Of(req)
	return v != nil && v.Keys
}

// hasVerbSlot reports whether a verb may begin at the upstream of its first key. One
// without a key is refused when it begins.
func (c *client) hasVerbSlot(req *protocol.Request) bool {
	return len(req.Key) == 0 || c.loop.locate(req.Key).verbs.admits(c)
}
