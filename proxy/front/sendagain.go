package front

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// A get that has waited is sent again when the key is stored, as soon as there is room on the connection.

// admitsAgain reports whether req, whose reply has a slot, can be sent now. If not, the client is woken.
func (c *Client) admitsAgain(req *protocol.Request, to route.Target) bool {
	if c.input.waiting() != nil { // which waits for room; the few requests before it don't
		return true
	}
	c.loop.scratch.carriage.Load = route.Load{}
	return c.admits(req, to)
}

// sendAgain sends the get again.
func (h *heldGet) sendAgain() bool {
	c, req := h.client, &h.request
	to := c.routing.Target(req.Key)
	to.Divert(req.Command, req.Key)
	if !c.admitsAgain(req, to) {
		return false
	}
	p := upstream.Pending{Sink: c, Lane: &c.lane.Lane, Slot: h.slot, Command: req.Command, Tally: tally.Get, Quiet: req.Quiet, Keys: h.sent.Keys}
	c.send(c.stored(req, to), to, &p, h)
	return true
}

// sendAgain asks for the missing keys again.
func (g *gather) sendAgain() bool {
	c, keys := g.client, g.eachKey()
	var words []byte
	for _, i := range g.missing {
		words = append(append(words, keys[i]...), ' ')
	}
	req := &c.loop.scratch.plain
	req.SetRetrieval(g.command, words[:len(words)-1], len(g.missing), true)
	if !c.admitsAgain(req, c.routing.Target(req.Key)) {
		return false
	}
	more := g.asksMore()
	for _, i := range g.missing {
		u, _, stored := g.routing.Locate(g.command, keys[i])
		if u.State != upstream.Up { // then the key remains missing
			p, _ := g.routing.Of(keys[i])
			p.Stats.Misses[tally.Get]++
			continue
		}
		g.wanted[i].owner = more.add(u, stored)
	}
	if more.send(&c.lane.Lane); g.waiting == 0 {
		g.finish()
	}
	return true
}
