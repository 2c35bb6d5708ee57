package front

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/execution"
	"github.com/memverbs/memverbs/proxy/latency"
	"github.com/memverbs/memverbs/proxy/reply"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// dispatchVerb begins the verb that req asks for.
func (c *Client) dispatchVerb(req *protocol.Request, to route.Target) {
	if execution.TakesKeys(req) {
		if refusal := c.routing.Apart(req.Words); refusal != "" {
			c.refuse(refusal)
			return
		}
	}
	if c.routing.Guarded && catalog.Of(req).Local {
		c.local(c.routing.Help(req.Words))
		return
	}
	var slot uint32
	if !req.Quiet {
		slot = c.replies.Reserve(verbWeight(req), nil)
	}
	c.beginVerb(c.routing, req, to, c, slot)
}

// beginVerb begins a verb that to allows, the target according to r. answered gets its answer, for the slot.
func (c *Client) beginVerb(r *route.Table, req *protocol.Request, to route.Target, answered execution.Listener, slot uint32) {
	if to.Copies != nil && c.deletesCopiesFirst(r, req, to, answered, slot) {
		return
	}
	req = c.loop.scratch.stripped.Request(r, req)
	if kept := to.Pool.Shared.Kept; kept != nil {
		answered = marksVerb(kept, req, answered)
	}
	to.Pool.Verbs.Begin(req, to.Owner, c.caller(to.Pool), answered, slot)
}

// deletesCopiesFirst reports whether the copies of what the verb of req changes have to be deleted first. beginVerb is called again when
// they are.
func (c *Client) deletesCopiesFirst(r *route.Table, req *protocol.Request, to route.Target, answered execution.Listener, slot uint32) bool {
	return c.deletesCopies(req, to, func(later *protocol.Request) {
		if to.Pool.Retired() {
			r = c.routing
			to = r.Target(later.Key)
		}
		to.Copies = nil // they are deleted
		c.beginVerb(r, later, to, answered, slot)
	})
}

// verbWeight returns how many values the answer to a verb counts as in the limit on outstanding
// replies. An ordered verb counts as none: its answer is short, and one call reads the structure
// for all calls that wait, so the more may wait the less often it is read.
func verbWeight(req *protocol.Request) int {
	if v := catalog.Of(req); v != nil && v.Ordered {
		return 0
	}
	return 1
}

// VerbAnswered implements [execution.Listener].
func (c *Client) VerbAnswered(r *execution.Execution, text []byte) {
	if r.Quiet || c.gone() {
		return
	}
	c.spendOnAnswer(len(text))
	c.traceVerb(r.Slot, r)
	c.learn(max(len(text), r.Largest()))
	if len(text) >= handedOver {
		c.replyOwned(r.Slot, c.loop.Buffers.Adopt(r.TakeAnswer()), false)
		return
	}
	c.reply(r.Slot, text, reply.IsError(text))
}

// traceVerb notes what the verb of the reply in a slot has waited for.
func (c *Client) traceVerb(slot uint32, r *execution.Execution) {
	c.excludeWait(slot, r)
	if t := c.replies.At(slot).Trace; t != nil {
		t.Upstream, t.Trips, t.Away = r.Upstream(), r.Trips(), r.Away()
	}
}

// excludeWait keeps the time for which the verb of the reply in a slot has waited until there was something for it from
// being counted as time that it took.
func (c *Client) excludeWait(slot uint32, r *execution.Execution) {
	c.replies.At(slot).Began += latency.Stamp(r.Waited())
}

// handedOver is the length, in bytes, from which an answer's buffer is handed over
// instead of being copied.
const handedOver = 1 << 20
