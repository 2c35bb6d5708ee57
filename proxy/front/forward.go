package front

import (
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// forward forwards the request to the upstream that it is for.
func (c *Client) forward(req *protocol.Request, to route.Target) {
	u := to.Owner
	if req.Command.Meta() && u.State == upstream.Up && !u.Version.AtLeast(upstream.MetaCommands) {
		c.refuse("ERROR") // an upstream without meta commands would parse the data block as commands
		return
	}
	p := upstream.Pending{Sink: c, Lane: &c.lane.Lane, Command: req.Command, Tally: tally.Of(req), Quiet: req.Quiet, Keys: uint16(req.NumWords)}
	if !req.Quiet || req.Command.Meta() {
		p.Slot = c.replies.Reserve(maxValues(req.Command, req.NumWords), nil)
		if t := c.replies.At(p.Slot).Trace; t != nil {
			t.Upstream, t.Trips = u.Name, 1
		}
	}
	c.send(req, to, &p, nil)
}

// send sends a request, whose reply has a slot. again is the get that is sent again, nil if it is sent for the first time.
func (c *Client) send(req *protocol.Request, to route.Target, p *upstream.Pending, again *heldGet) {
	u, asked := to.Owner, req
	p.Unsized = c.unsized(req) > 0
	p.Loss = lossOf(req, to)
	if to.Namespace > 0 {
		c.forwardSpaced(req, to, p)
		return
	}
	if u.State != upstream.Up {
		if to.Copies != nil {
			rememberCopied(req, &to)
		} else {
			to.Remember(req)
		}
		c.answerDown(p, c.askedOf(req), u.Refuse())
		return
	}
	if to.Absent != nil && req.Command.Storage() {
		req.Exptime = route.CapExptime(req.Exptime, to.Pool.Shared.SpareTTL, time.Now())
	}
	if req.Command == protocol.MetaGet && to.Pool.Shared.Guard.ReadOnly {
		req = c.asksPlainly(req, p)
	} else if req.KeyReturn != nil {
		p.Sink = returnKey(c, req)
	} else if to.Strips != nil {
		p.Sink = c.restores(req)
	}
	if to.Absent != nil && req.Command != protocol.Get {
		p.Sink = to.Spares(req, p.Sink)
	}
	if to.Copies != nil && c.sendCopied(req, to, p) {
		return
	}
	p.Sink = c.alsoAtFormerPlaces(req, to, p.Sink)
	if held := to.Pool.Shared.Held; held != nil && held.For(req.Key) > 0 {
		c.watchesMiss(asked, to, p, again)
	}
	if to.Pool.Shared.Kept != nil && c.joinsNear(req, to, p) {
		return
	}
	if to.Shadow != nil && again == nil {
		c.loop.alsoToShadow(req, to.Shadow, p)
	}
	if to.Source != nil && c.sendMoved(req, to, p) {
		return
	}
	c.forwardTo(u.Connection(c.lane.bulk), req, p)
}

// lossOf returns what follows if the request is lost on the way to its target.
func lossOf(req *protocol.Request, to route.Target) upstream.Loss {
	switch {
	case req.Overwrites():
		return upstream.LossOutdates
	case to.Pool.Shared.OnDown.Misses(req.Command):
		return upstream.LossMisses
	case req.Command == protocol.Get && to.Pool.Spare != nil && to.Absent == nil:
		return upstream.LossSpares
	}
	return upstream.LossRefuses
}

// forwardTo sends the request. Large data at the end of the input is not copied: the
// connection takes over the input buffer.
func (c *Client) forwardTo(to *upstream.Connection, req *protocol.Request, p *upstream.Pending) {
	if input := c.input.bytes(); len(input) > 0 && len(req.Data) >= upstream.Large && c.input.binary == nil && fills(input, req) {
		to.RequestIn(input, dataIn(input, req), req, p)
		c.input.backlog.bytes = nil
		return
	}
	to.Request(req, p)
}

// fills reports whether input ends with the data of req, and its buffer is not
// larger than a copy of the request would need.
func fills(input []byte, req *protocol.Request) bool {
	return dataIn(input, req)+len(req.Data)+len(lineEnd) == len(input) && cap(input) <= 2*req.Len()
}

// dataIn returns the offset of r's data in input, from which r was read.
func dataIn(input []byte, r *protocol.Request) int { return cap(input) - cap(r.Data) }

// stored returns req, a request with one key, as it is sent to its target: without the prefix that
// the route strips.
func (c *Client) stored(req *protocol.Request, to route.Target) *protocol.Request {
	if to.Strips == nil {
		return req
	}
	return c.loop.scratch.stripped.Request(c.routing, req)
}
