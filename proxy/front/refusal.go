package front

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/copies"
	"github.com/memverbs/memverbs/proxy/namespace"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// dispatchRefusal answers a request that is refused. First it does what memcached does
// besides refusing it: delete an item that could not be replaced, and read the keys
// that precede a key that is too long.
func (c *Client) dispatchRefusal(req *protocol.Request, to route.Target) {
	if req.BadEnd && req.Command.Storage() {
		to.Pool.Stats.Sets++ // as in memcached, which checks the end of the data last
	}
	unlinks := req.Unlink && c.routing.Refuses(req) == ""
	switch {
	case unlinks && to.Namespace > 0 && route.IsDown(to.Owner):
		rememberSpaced(c.stored(req, to), to)
	case unlinks && (to.Absent != nil || route.IsDown(to.Owner)):
		to.Remember(c.stored(req, to))
	}
	switch {
	case unlinks && to.Owner.State == upstream.Up:
		c.removeAndRefuse(c.stored(req, to), to)
	case req.Command.Retrieval() && req.NumWords > 0:
		c.gather(req, req.Refusal)
	case !req.Quiet || req.Command.Meta():
		c.refuse(req.Refusal)
	}
	c.replies.Long = nil
}

// removal is the deletion that accompanies a refused request.
type removal struct {
	client *Client
	slot   uint32
	line   string
	quiet  bool
}

func (c *Client) removeAndRefuse(req *protocol.Request, to route.Target) {
	r := &removal{client: c, line: req.Refusal}
	if r.quiet = req.Quiet && req.Command == protocol.Set; !r.quiet {
		r.slot = c.replies.Reserve(0, nil)
	}
	r.remove(to, req)
}

func (r *removal) Answered(_ *upstream.Pending, a *upstream.Answer) {
	switch {
	case r.quiet:
	case a.Failed():
		r.client.reply(r.slot, a.Data, true)
	default:
		r.client.reply(r.slot, append([]byte(r.line), "\r\n"...), true)
	}
}

// remove sends the deletion of the request's item.
func (r *removal) remove(to route.Target, req *protocol.Request) {
	if to.Namespace > 0 {
		r.removeSpaced(to, req)
		return
	}
	deletion := deletionOf(req)
	if to.Copies != nil {
		r.client.changeCopied(deletion, to, &upstream.Pending{Sink: r, Command: protocol.Delete}, copies.Everywhere)
		return
	}
	if to.Shadow != nil {
		r.client.loop.alsoToShadow(deletion, to.Shadow, &upstream.Pending{})
	}
	sink := marksChange(to.Pool.Shared.Kept, req.Key, r)
	to.Owner.First.Request(deletion, &upstream.Pending{Sink: sink, Lane: &r.client.lane.Lane, Command: deletion.Command, Loss: upstream.LossOutdates})
}

// removeSpaced is remove for a key in a namespace.
func (r *removal) removeSpaced(to route.Target, req *protocol.Request) {
	p := upstream.Pending{Sink: r, Command: protocol.Delete, Loss: upstream.LossOutdates}
	s := r.client.newSpacedCall(to, &p)
	s.req.SetDelete(bytes.Clone(req.Key), bytes.Clone(req.Encoded))
	s.answers.Command, s.Order = s.req.Command, namespace.Around
	s.enter()
}
