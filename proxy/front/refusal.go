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

// removeAndRefuse deletes the item of a refused request, and refuses the request once
// the deletion is answered.
func (c *Client) removeAndRefuse(req *protocol.Request, to route.Target) {
	if req.Quiet && req.Command == protocol.Set {
		c.remove(req, to, upstream.Ignored)
		return
	}
	slot, refusal := c.replies.Reserve(0, nil), req.Refusal
	c.remove(req, to, upstream.SinkFunc(func(_ *upstream.Pending, a *upstream.Answer) {
		if a.Failed() {
			c.reply(slot, a.Data, true)
		} else {
			c.reply(slot, append([]byte(refusal), "\r\n"...), true)
		}
	}))
}

// remove sends the deletion of a request's item, which sink is told of.
func (c *Client) remove(req *protocol.Request, to route.Target, sink upstream.Sink) {
	if to.Namespace > 0 {
		c.removeSpaced(req, to, sink)
		return
	}
	deletion := deletionOf(req)
	if to.Copies != nil {
		c.changeCopied(deletion, to, &upstream.Pending{Sink: sink, Command: protocol.Delete}, copies.Everywhere)
		return
	}
	if to.Shadow != nil {
		c.loop.alsoToShadow(deletion, to.Shadow, &upstream.Pending{})
	}
	sink = marksChange(to.Pool.Shared.Kept, req.Key, sink)
	to.Owner.First.Request(deletion, &upstream.Pending{Sink: sink, Lane: &c.lane.Lane, Command: deletion.Command, Loss: upstream.LossOutdates})
}

// removeSpaced is remove for a key in a namespace.
func (c *Client) removeSpaced(req *protocol.Request, to route.Target, sink upstream.Sink) {
	p := upstream.Pending{Sink: sink, Command: protocol.Delete, Loss: upstream.LossOutdates}
	s := c.newSpacedCall(to, &p)
	s.req.SetDelete(bytes.Clone(req.Key), bytes.Clone(req.Encoded))
	s.answers.Command, s.Order = s.req.Command, namespace.Around
	s.enter()
}
