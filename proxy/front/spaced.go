package front

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/namespace"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// A request on a key in a namespace (package namespace) is sent together with questions for the generation. If the answers
// show that the generation under which it was sent was not in place, it is sent again. Once it is sent again, its client's
// next requests wait until it is answered.

// forwardSpaced forwards a request on a key in a namespace. p says how it is answered.
func (c *Client) forwardSpaced(req *protocol.Request, to route.Target, p *upstream.Pending) {
	if refusal := tooLongInSpace(req, to.Namespace); refusal != "" {
		c.replySpaced(p, refusal)
		return
	}
	if to.Owner.State != upstream.Up {
		rememberSpaced(req, to)
		c.answerDown(p, c.askedOf(req), to.Owner.Refuse())
		return
	}
	if p.Loss == upstream.LossSpares {
		p.Loss = upstream.LossRefuses
	}
	if req.Command.Storage() && !c.loop.hasMemory(len(req.Data)) {
		c.replySpaced(p, "SERVER_ERROR out of memory")
		return
	}
	if isGet(req) && c.sendSpacedGet(req, to, p) {
		return
	}
	s := c.newSpacedCall(to, p)
	if s.Order = namespace.OrderOf(req); isGet(req) {
		s.words = append(s.words[:0], req.Key...)
		s.req.SetRetrieval(req.Command, s.words, 1, true)
		s.req.Prefix = req.Prefix
	} else {
		s.words = req.CloneTo(&s.req, s.words[:0])
		s.account(len(req.Data))
	}
	s.enter()
}

// replySpaced answers a request with an error, unless its client wants no answer.
func (c *Client) replySpaced(p *upstream.Pending, refusal string) {
	if !p.Quiet || p.Command.Meta() {
		c.reply(p.Slot, []byte(refusal+"\r\n"), true)
	}
}

// rememberSpaced remembers the key of a change that is refused because its upstream is down: the key as it is stored, as far
// as the generation is known; otherwise the whole namespace is flushed on that upstream before it is used again.
func rememberSpaced(req *protocol.Request, to route.Target) {
	if !req.Overwrites() {
		return
	}
	text := req.Key[:to.Namespace]
	if g := to.Pool.Spaces[to.Owner.Index].Of(text).Present(); g.Known() {
		text = g.AppendKey(nil, req.Key, to.Namespace)
	}
	to.Owner.Remember(text, "")
}
