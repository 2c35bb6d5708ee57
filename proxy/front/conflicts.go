package front

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/execution"
	"github.com/memverbs/memverbs/proxy/route"
)

// caller returns what the executor of p knows about c.
func (c *Client) caller(p *route.Pool) *execution.Caller {
	for v := c.callers.first; v != nil; v = v.next {
		if v.pool == p {
			return &v.Caller
		}
	}
	c.callers.dropRetired()
	c.loop.FirstVerb()
	v := &poolCaller{pool: p, next: c.callers.first}
	v.Owner = c
	c.callers.first = v
	if c.callers.hurried {
		p.Verbs.Hurry(&v.Caller)
	}
	return &v.Caller
}

// conflicts reports whether req has to wait for a verb of the client: for one that has not begun yet,
// for one that waits until there is something for it, for a running one that may change what req uses or
// use what req changes, or for any that runs in a pool that a reload has replaced.
func (c *Client) conflicts(req *protocol.Request) bool {
	if c.callers.unbegun > 0 || c.callers.wrapped() {
		return true
	}
	if c.callers.waiting() {
		c.input.behindWait = true
		return true
	}
	if c.routing.Strips && c.callers.running() > 0 {
		if c.loop.scratch.carriage.Load.Named > 0 && req.Command.Retrieval() {
			return true // rare, and the keys of the verbs that the retrieval carries are not compared
		}
		req = c.loop.scratch.stripped.Request(c.routing, req)
	}
	for v := c.callers.first; v != nil; v = v.next {
		if v.Running() > 0 && (v.pool.Retired() || v.Conflicts(v.pool.Verbs, req, c.routing.Keys)) {
			return true
		}
	}
	return false
}
