package front

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/moving/wire"
	"github.com/memverbs/memverbs/proxy/reply"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// dispatchRetrieval forwards a get, gets, gat or gats. With one key, or a pool of one
// upstream, it is forwarded as it is; otherwise it is fanned out, and the values are
// merged in the order of the keys.
func (c *Client) dispatchRetrieval(req *protocol.Request, to route.Target) {
	named := c.loop.scratch.carriage.Load.Named
	whole := !req.More && c.replies.Long == nil && named == 0
	if whole && (req.NumWords == 1 || len(c.routing.Asked) == 1 && !c.routing.Strips && !c.routing.Spaced && !c.routing.Moves && !c.routing.Holds && len(c.routing.Kept) == 0 && !c.routing.Shadows) {
		c.forward(c.stored(req, to), to)
		return
	}
	switch touches := req.Command != protocol.Get && req.Command != protocol.Gets; {
	case touches && named > 0:
		c.refuseGat(req)
		return
	case touches && c.routing.Moves && c.unconfirmed(req):
		c.refuseRetrieval(req, wire.Unconfirmed)
		return
	}
	c.gatherPart(req, "")
}

// gatherPart is gather for a retrieval that may be a part of a longer one.
func (c *Client) gatherPart(req *protocol.Request, refusal string) {
	if req.More && c.replies.Long == nil {
		c.replies.Long = &reply.LongRetrieval{Began: c.loop.timing.Began}
	}
	c.gather(req, refusal)
	if !req.More {
		c.replies.Long = nil
	}
}

// refuseRetrieval answers a retrieval, or a part of one, with an error.
func (c *Client) refuseRetrieval(req *protocol.Request, refusal string) {
	part := *req
	part.Words, part.NumWords = nil, 0
	c.gatherPart(&part, refusal)
}

// gather fans out req, or answers with refusal if that is not empty.
func (c *Client) gather(req *protocol.Request, refusal string) {
	g := c.loop.gather(c.routing)
	g.client, g.command, g.more = c, req.Command, req.More
	g.quiet = c.input.binary != nil && req.NumWords > 1
	g.slot = c.replies.Reserve(req.NumWords, c.replies.Long)
	if refusal != "" {
		g.refusal = []byte(refusal + "\r\n")
	}
	g.ask(req)
	g.beginCopies()
	g.until = g.mayWait()
	g.askNamed()
	g.arrived()
}

// refuseGat refuses a gat with a key that names a verb, before any of its keys is touched. If the gat is long and
// divided into parts, earlier parts have been carried out already.
func (c *Client) refuseGat(req *protocol.Request) {
	key, rest := protocol.NextWord(req.Words)
	for len(rest) > 0 && !c.routing.Covers(key) {
		key, rest = protocol.NextWord(rest)
	}
	refusal := c.routing.Keys.Read(req.Command, key, &c.loop.scratch.carriage.Verb)
	c.refusedKey(req.Command, key, refusal)
	c.refuseRetrieval(req, refusal)
}

// Answered implements [upstream.Sink]: the reply of one upstream, or the rest of it.
func (g *gather) Answered(p *upstream.Pending, a *upstream.Answer) {
	if t := g.trace(); t != nil {
		t.Asked(g.nameOf(p.Slot), g.loop.timing.Stamp().Since(p.Sent))
	}
	if a.Size > 0 {
		g.client.learn(a.Size)
	}
	if a.Outcome == upstream.Lost && (g.misses(p.Slot) || g.askSpare(p.Slot)) {
		g.arrived()
		return
	}
	switch failed := a.IsError(); {
	case failed && g.othersHave(p.Slot):
	case failed:
		g.failed(bytes.Clone(a.Data))
	case g.accepts(len(a.Data), g.loop.largeReply()):
		g.add(p.Slot, a.Data, a.Take())
	}
	g.arrived()
}

// misses reports whether the keys of a reply count as misses if its upstream fails.
func (g *gather) misses(slot uint32) bool {
	return int(slot) < len(g.routing.Misses) && g.routing.Misses[slot]
}

// nameOf returns the name of the upstream of a reply.
func (g *gather) nameOf(slot uint32) string {
	if isSpaced(uint16(slot)) {
		return g.spaced.owners[slot-firstSpaced].Name
	}
	if int(slot) < len(g.routing.Asked) {
		return g.routing.Asked[slot].Name
	}
	return "of the spare pool, or asked again"
}

// trace returns the trace of the request, nil if there is none.
func (g *gather) trace() *reply.Trace {
	if g.client.gone() {
		return nil
	}
	return g.client.replies.At(g.slot).Trace
}

// Take implements [upstream.Streamer]: it takes values from the start of the reply of one
// upstream.
func (g *gather) Take(p *upstream.Pending, values []byte) {
	if len(values) > 0 && g.accepts(len(values), g.loop.largeReply()) {
		g.add(p.Slot, values, false)
	}
}

// Streams implements [upstream.Streamer]. g accepts only whole values.
func (g *gather) Streams(_ *upstream.Pending, pieces bool) bool { return !pieces }
