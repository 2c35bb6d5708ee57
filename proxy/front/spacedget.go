package front

import (
	"sync"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/namespace"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// spacedGet is a get of one key in a namespace whose generation is remembered, until its reply has arrived. Nearly all are
// answered by that reply, so it is small and used again. If the generation turns out to be outdated, a [spacedCall] goes on.
type spacedGet struct {
	client  *Client
	to      route.Target
	space   *namespace.Space
	under   namespace.Generation
	prefix  []byte           // that the route strips
	sent    []byte           // the words that were sent: the key and the namespace
	key     int              // how long the first of them is
	answers upstream.Pending // how it is answered
}

// spacedGets are not in use. They are no list of a loop, which would make it know of them.
var spacedGets = sync.Pool{New: func() any { return &spacedGet{} }}

// sendSpacedGet sends a get of one key in a namespace. It returns false if the generation is not remembered.
func (c *Client) sendSpacedGet(req *protocol.Request, to route.Target, p *upstream.Pending) bool {
	space := to.Pool.Spaces[to.Owner.Index].Of(req.Key[:to.Namespace])
	under := space.Present()
	if !under.Known() {
		return false
	}
	g := spacedGets.Get().(*spacedGet)
	g.client, g.to, g.space, g.under, g.prefix, g.answers = c, to, space, under, req.Prefix, *p
	if to.Strips != nil {
		g.answers.Sink = c.restores(req)
	}
	g.sent = under.AppendKey(g.sent[:0], req.Key, to.Namespace)
	g.key = len(g.sent)
	g.sent = append(append(g.sent, ' '), space.Text...)
	c.beginsSpaced()
	c.askValues(to.Owner.Connection(c.lane.bulk), req.Command, g.sent, 1, g, p.Unsized)
	return true
}

// Answered implements [upstream.Sink].
func (g *spacedGet) Answered(p *upstream.Pending, a *upstream.Answer) {
	if a.IsError() {
		g.goesOn().Answered(p, a)
		return
	}
	n := protocol.CutValue(a.Data, g.sent[:g.key])
	if namespace.In(a.Data[n:], g.space.Text) != g.under {
		g.goesOn().Answered(p, a)
		return
	}
	g.to.Pool.Stats.Retrieved(g.answers.Tally, 1, min(n, 1))
	a.Data, a.Buffer = showValue(a.Data, n, g.to.Namespace), upstream.Lent
	g.answers.Sent = p.Sent
	c := g.client
	c.spaced.all--
	g.answers.Sink.Answered(&g.answers, a)
	g.release()
	c.Progress()
}

// showValue makes a reply to a get, whose value has n bytes and is followed by the generation, one that has the client's key. It
// does so in place: the first words move to where the generation was in the key.
func showValue(reply []byte, n, space int) []byte {
	copy(reply[n:], endOfValues)
	shown := reply[:n+len(endOfValues)]
	if n == 0 {
		return shown
	}
	copy(shown[namespace.Length:], shown[:len("VALUE ")+space])
	return shown[namespace.Length:]
}

// goesOn has a call take the reply, with which the get is not answered.
func (g *spacedGet) goesOn() *spacedCall {
	c := g.client
	s := c.newSpacedCall(g.to, &g.answers)
	c.spaced.all-- // the call is under way in place of the get
	s.sent = append(s.sent[:0], g.sent...)
	s.words = namespace.Shown(s.words, g.sent[:g.key], g.to.Namespace)
	s.req.SetRetrieval(g.answers.Command, s.words, 1, true)
	s.req.Prefix, s.answers.Sink = g.prefix, c // as the call restores the prefix itself
	s.space, s.Under, s.waiting = g.space, g.under, 1
	g.release()
	return s
}

// release leaves the get to others.
func (g *spacedGet) release() {
	*g = spacedGet{sent: g.sent} // which frees what it refers to
	spacedGets.Put(g)
}
