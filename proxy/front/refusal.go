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
	u := to.Owner
	if to.Namespace > 0 {
		r.removeSpaced(to, req)
		return
	}
	if to.Copies != nil {
		r.client.changeCopied(deletionOf(req), to, &upstream.Pending{Sink: r, Command: protocol.Delete}, copies.Everywhere)
		return
	}
	if to.Shadow != nil {
		r.client.loop.alsoToShadow(deletionOf(req), to.Shadow, &upstream.Pending{})
	}
	out := u.First.Out()
	out.Extend(req.AppendDelete(out.Room(protocol.MaxLine)))
	p := upstream.Pending{Sink: marksChange(to.Pool.Shared.Kept, req.Key, r), Lane: &r.client.lane.Lane, Command: protocol.Delete, Loss: upstream.LossOutdates}
	asked := append(u.First.Expected.Text(), req.Key...)
	if len(req.Encoded) > 0 {
		p.Command = protocol.MetaDelete
		asked = append(append(u.First.Expected.Text(), req.Encoded...), " b"...)
	}
	u.First.Expected.Extend(asked)
	u.First.Push(&p)
}

// removeSpaced is remove for a key in a namespace.
func (r *removal) removeSpaced(to route.Target, req *protocol.Request) {
	p := upstream.Pending{Sink: r, Command: protocol.Delete, Loss: upstream.LossOutdates}
	s := r.client.newSpacedCall(to, &p)
	if s.req.Reset(protocol.Delete); len(req.Encoded) > 0 {
		s.req.SetMeta(protocol.MetaDelete, nil, bytes.Clone(req.Encoded), []byte(" b"))
		s.answers.Command = protocol.MetaDelete
	}
	s.req.Key, s.Order = bytes.Clone(req.Key), namespace.Around
	s.enter()
}
