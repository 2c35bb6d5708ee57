package front

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// A share of a route's keys is sent to a shadow pool too (package shadow). A request is sent there when it is sent to its own pool,
// or not at all. None is kept for later, so a shadow that hangs costs no more than what is in flight on its connections. Clients
// get nothing of what it answers, and wait for nothing there.

// alsoToShadow sends a request, which is about to be sent as it is stored, to the shadow of its route too, if its key is one of the
// share. If it is a get, p gets a sink that notices whether the key is found.
func (l *Loop) alsoToShadow(req *protocol.Request, of *route.Shadow, p *upstream.Pending) {
	if req.Command == protocol.MetaDebug || !of.Has(req.Key) {
		return
	}
	u := of.Takes(req.Command, req.Key, len(req.Data))
	if u == nil {
		return
	}
	same := req.Unconditional()
	to := upstream.Pending{Sink: of, Lane: &u.Shadowed, Command: same.Command, Keys: p.Keys, Loss: upstream.LossUnnoticed}
	if req.Command.Retrieval() || req.Command == protocol.MetaGet {
		g := l.reuse.shadows.Take()
		*g = shadowedGet{notingRelay: notingRelay{relay: relay{p.Sink}}, kept: &l.reuse.shadows, of: of}
		p.Sink, to.Sink = g, (*shadowReply)(g)
	}
	u.First.Request(&same, &to)
}
