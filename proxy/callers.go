package proxy

import (
	"slices"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/execution"
	"github.com/memverbs/memverbs/proxy/route"
)

// callers are the verbs of a client.
type callers struct {
	list    []*poolCaller
	unbegun int // retrievals with a verb that is yet to begin
}

// poolCaller is what the executor of a pool knows about a client that has begun a verb there.
type poolCaller struct {
	execution.Caller
	pool *route.Pool
}

// caller returns what the executor of p knows about c.
func (c *client) caller(p *route.Pool) *execution.Caller {
	for _, v := range c.callers.list {
		if v.pool == p {
			return &v.Caller
		}
	}
	c.callers.list = slices.DeleteFunc(c.callers.list, func(v *poolCaller) bool { return v.pool.Retired() && v.Running() == 0 })
	c.loop.firstVerb()
	v := &poolCaller{pool: p}
	v.Owner = c
	c.callers.list = append(c.callers.list, v)
	return &v.Caller
}

// running returns how many verbs of the client are running.
func (s *callers) running() (n int) {
	for _, v := range s.list {
		n += v.Running()
	}
	return n
}

// conflicts reports whether req has to wait for a verb that is yet to begin, or for a running one: one
// that may change what req uses, or the other way round, or any in a pool that has been replaced since
// it began.
func (c *client) conflicts(req *protocol.Request) bool {
	if c.callers.unbegun > 0 {
		return true
	}
	if c.routing.Strips && c.callers.running() > 0 {
		if c.loop.scratch.carriage.Load.Named > 0 && req.Command.Retrieval() {
			return true // rare, and the keys of the verbs that the retrieval carries are not compared
		}
		req = c.loop.scratch.stripped.Request(c.routing, req)
	}
	for _, v := range c.callers.list {
		if v.Running() > 0 && (v.pool.Retired() || v.Conflicts(v.pool.Verbs, req, c.routing.Keys)) {
			return true
		}
	}
	return false
}

// leave says that the client is gone, so that the answers are not needed.
func (s *callers) leave() {
	for _, v := range s.list {
		v.pool.Verbs.Leave(&v.Caller)
	}
}
