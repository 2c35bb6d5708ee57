package proxy

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/execution"
	"github.com/memverbs/memverbs/proxy/pool"
)

// dispatchVerb begins the verb that req asks for. owner owns its first key.
func (c *client) dispatchVerb(req *protocol.Request, owner *pool.Member) {
	var slot uint32
	if !req.Quiet {
		slot = c.replies.reserve(1, nil)
	}
	c.loop.verbs.Begin(req, owner, &c.verbs, c, slot)
}

// Told implements [execution.Listener].
func (c *client) Told(r *execution.Execution, text []byte) {
	if r.Quiet || c.gone {
		return
	}
	c.traceVerb(r.Slot, r)
	c.learn(max(len(text), r.Largest()))
	if len(text) >= handedOver {
		c.replyOwned(r.Slot, c.loop.buffers.Adopt(r.TakeAnswer()), false)
		return
	}
	c.reply(r.Slot, text, isError(text))
}

// traceVerb notes what the verb of the reply in a slot has waited for.
func (c *client) traceVerb(slot uint32, r *execution.Execution) {
	if t := c.replies.at(slot).trace; t != nil {
		t.upstream, t.trips, t.away = r.Upstream(), r.Trips(), r.Away()
	}
}

// handedOver is the length, in bytes, from which an answer's buffer is handed over
// instead of being copied.
const handedOver = 1 << 20
