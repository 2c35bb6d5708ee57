package proxy

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/execution"
	"github.com/memverbs/memverbs/proxy/reply"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// severalPools is the error for a verb whose keys are in several pools.
const severalPools = "CLIENT_ERROR the keys are in several pools; ask for those of each pool by themselves"

// severalPrefixes is the error for a verb with keys of which different prefixes are stripped.
const severalPrefixes = "CLIENT_ERROR the keys are of several routes, of which one strips its prefix; ask for those of each route by themselves"

// dispatchVerb begins the verb that req asks for.
func (c *client) dispatchVerb(req *protocol.Request, to target) {
	if execution.TakesKeys(req) {
		if refusal := c.routing.apart(req.Words); refusal != "" {
			c.refuse(refusal)
			return
		}
	}
	if c.routing.guarded && catalog.Of(req).Local {
		c.local(c.routing.help(req.Words))
		return
	}
	var slot uint32
	if !req.Quiet {
		slot = c.replies.Reserve(verbWeight(req), nil)
	}
	to.pool.verbs.Begin(c.loop.scratch.stripped.request(c.routing, req), to.owner, c.caller(to.pool), c, slot)
}

// verbWeight returns how many values the answer to a verb may have, as far as that limits how many
// requests of the client are outstanding. The answers of ordered verbs are lines, and one of them reads
// for those that wait: the fewer of these there are, the more often it has to read.
func verbWeight(req *protocol.Request) int {
	if v := catalog.Of(req); v != nil && v.Ordered {
		return 0
	}
	return 1
}

// Told implements [execution.Listener].
func (c *client) Told(r *execution.Execution, text []byte) {
	if r.Quiet || c.gone() {
		return
	}
	c.spendOnAnswer(len(text))
	c.traceVerb(r.Slot, r)
	c.learn(max(len(text), r.Largest()))
	if len(text) >= handedOver {
		c.replyOwned(r.Slot, c.loop.buffers.Adopt(r.TakeAnswer()), false)
		return
	}
	c.reply(r.Slot, text, reply.IsError(text))
}

// traceVerb notes what the verb of the reply in a slot has waited for.
func (c *client) traceVerb(slot uint32, r *execution.Execution) {
	if t := c.replies.At(slot).Trace; t != nil {
		t.Upstream, t.Trips, t.Away = r.Upstream(), r.Trips(), r.Away()
	}
}

// handedOver is the length, in bytes, from which an answer's buffer is handed over
// instead of being copied.
const handedOver = 1 << 20
