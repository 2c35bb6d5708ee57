package front

import (
	"slices"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/admission"
	"github.com/memverbs/memverbs/proxy/execution"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// Before a request is carried out it may have to wait, in this order:
//
//   - for earlier requests of the same client, which must take effect before it (follows): that
//     needs no queue, because the client is woken when they end;
//   - if the client has not received a value yet, so that the size of the values it asks for is
//     unknown: for the room that such clients share (pool/newcomers.go);
//   - for room on the connections that it uses (pool/connectionqueue.go), also of the upstream from which its key moves;
//   - if it begins a verb with large arguments: for memory (execution/argumentmemory.go);
//   - if it begins a verb: until fewer verbs are running, unless none of this client is
//     (pool/slots.go).
//
// The last four have queues (admission/queue.go). A waiting request is kept as it was
// parsed (waiting.go), and the client's further input waits after it.

// admits reports whether req can be carried out now. If req has to wait, c is woken when
// trying again is worthwhile.
func (c *Client) admits(req *protocol.Request, to route.Target) bool {
	if c.follows(req, to.Owner) || c.spaced.underWay() && (req.Verb != nil || c.loop.scratch.carriage.Load.Named > 0) {
		return false
	}
	w := c.waiter()
	admitted := c.hasConnections(w, req, to.Owner) && (to.Source == nil || to.Source.Admits(w, false)) && (to.Copies == nil || c.reachesCopies(w, req, to)) && c.mayBegin(w, req, to)
	if admitted {
		w.Share -= max(1, req.NumWords)
	}
	c.releaseWaiter()
	return admitted
}

// waiter returns what queues know about the client. Few of thousands of clients have to wait, so the others have
// none between requests.
func (c *Client) waiter() *admission.Waiter {
	if c.pace.waiter == nil {
		c.pace.waiter = c.loop.reuse.waiters.Take()
		c.pace.waiter.Owner = c
	}
	return c.pace.waiter
}

// releaseWaiter leaves the waiter to other clients, unless the client waits or has some of its share left.
func (c *Client) releaseWaiter() {
	if w := c.pace.waiter; !w.Waits() && w.Share <= 0 {
		c.pace.waiter = nil
		*w = admission.Waiter{} // which frees what it refers to
		c.loop.reuse.waiters.Keep(w)
	}
}

// mayBegin reports whether the verb that req begins may begin now, if it begins any. If not, c waits for that.
func (c *Client) mayBegin(w *admission.Waiter, req *protocol.Request, to route.Target) bool {
	if req.Verb == nil && c.loop.scratch.carriage.Load.Named == 0 {
		return true
	}
	w.Light = (req.Verb != nil || req.NumWords == 1) && c.callers.running() == 0
	return to.Pool.Verbs.Admits(w, req, to.Owner)
}

// follows reports whether req has to wait for earlier requests of c: because it is stats, which counts their replies; because
// it is no get, and gets of c wait for the answers to other clients' gets; because a flush_all is sent twice; because earlier requests on keys in namespaces may
// have to be sent again; because one on a key with copies is under way; because it uses other connections than the requests in flight; or because it conflicts with a
// running verb.
func (c *Client) follows(req *protocol.Request, owner *pool.Member) bool {
	return req.Command == protocol.Stats && c.replies.Len() > 0 || c.lane.joined > 0 && req.Command != protocol.Get || c.lane.flushes || c.spaced.delays(c.loop.learned) ||
		c.copied != nil && c.copied.delays(req, c.loop.scratch.carriage.Load.Named > 0) || c.changesLane(req, owner) || c.conflicts(req)
}

// hasConnections reports whether there is room on all connections that req uses. If
// not, c waits for the first that has none.
func (c *Client) hasConnections(w *admission.Waiter, req *protocol.Request, owner *pool.Member) bool {
	w.Several, w.Unsized = c.asksSeveral(req), c.unsized(req)
	if !w.Several {
		return owner == nil || owner.Admits(w, c.lane.bulk)
	}
	for _, u := range c.routing.Asked {
		if (u.Tried || c.asks(req, u)) && !u.Admits(w, c.lane.bulk) {
			return false
		}
	}
	return true
}

// asksSeveral reports whether req may be for several upstreams.
func (c *Client) asksSeveral(req *protocol.Request) bool {
	many := req.NumWords > 1 && (req.Command.Retrieval() || execution.TakesKeys(req))
	return many || req.Command.Retrieval() && c.loop.scratch.carriage.Load.Named > 0 || req.Command == protocol.FlushAll
}

// asks reports whether req will be sent to u, as far as its keys tell. If a verb sends operations
// to other upstreams too, these wait separately, see package execution.
func (c *Client) asks(req *protocol.Request, u *pool.Member) bool {
	if !req.Command.Retrieval() && !execution.TakesKeys(req) {
		return req.Command == protocol.FlushAll
	}
	for key := range protocol.Words(req.Words) {
		if c.routing.Owner(key) == u {
			return true
		}
	}
	return false
}

// changesLane decides whether req uses first or second connections. It reports whether req has to
// wait because c has requests in flight on the other ones.
func (c *Client) changesLane(req *protocol.Request, owner *pool.Member) bool {
	c.lane.bulk = c.lane.large && c.goesBulk(req, owner) || c.evades(req, owner)
	if c.lane.bulk {
		return c.lane.First > 0 || c.callers.running() > 0
	}
	return c.lane.Second > 0
}

// goesBulk reports whether req is a retrieval that can use a second connection; if it has several
// keys, the second connections to all upstreams.
func (c *Client) goesBulk(req *protocol.Request, owner *pool.Member) bool {
	retrieves := req.Command.Retrieval() || req.Command == protocol.MetaGet
	if !retrieves || len(req.Key) == 0 || c.loop.scratch.carriage.Load.Named > 0 {
		return false
	}
	if req.NumWords == 1 || !req.Command.Retrieval() {
		return owner.Bulk.Ready()
	}
	ready := true
	for _, u := range c.routing.Asked {
		ready = (u.Bulk.Ready() || u.State != upstream.Up) && ready
	}
	return ready
}

// evades reports whether req would wait for the rest of a large reply on a first connection and can
// use second connections instead.
func (c *Client) evades(req *protocol.Request, owner *pool.Member) bool {
	if c.lane.First > 0 || req.Verb != nil || c.loop.scratch.carriage.Load.Named > 0 || c.callers.running() > 0 {
		return false
	}
	if req.NumWords == 1 || !req.Command.Retrieval() {
		return owner != nil && owner.First.Clogged() && evadable(owner)
	}
	clogs := func(u *pool.Member) bool { return u.First.Clogged() }
	stays := func(u *pool.Member) bool { return u.State == upstream.Up && !evadable(u) }
	return slices.ContainsFunc(c.routing.Asked, clogs) && !slices.ContainsFunc(c.routing.Asked, stays)
}

// evadable reports whether requests can use the second connection to u and need not wait for the rest
// of a large reply there.
func evadable(u *pool.Member) bool { return !u.Bulk.Clogged() && u.Bulk.Ready() }

// unsized returns how many bytes to expect of each value that req asks for, if the client has not
// received a value yet. It returns 0 if it has, or if req asks for no values.
func (c *Client) unsized(req *protocol.Request) int {
	if c.replies.expected.seen || maxValues(req.Command, req.NumWords) == 0 {
		return 0
	}
	return c.loop.values.ofNewcomers()
}
