package front

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// copiedGet is a get of one key with copies, until one of them has answered it.
type copiedGet struct {
	notingRelay // to what takes the reply

	client *Client
	to     route.Target // the copy that is being asked
	copy   int
	lead   int
	req    protocol.Request
	hash   uint8
	bulk   bool // it uses second connections
	misses bool // a copy has missed it, so the answer is no error
	sent   upstream.Pending
}

// getCopied sends a get to the copy that leads.
func (c *Client) getCopied(req *protocol.Request, to route.Target, p *upstream.Pending) {
	d := c.useCopied()
	g := &copiedGet{notingRelay: notingRelay{relay: relay{p.Sink}}, client: c, to: to, copy: to.Copies.Of(to.Owner), hash: hashOfCopied(req.Prefix, req.Key), bulk: c.lane.bulk, sent: *p}
	g.lead = g.copy
	req.CloneTo(&g.req, nil)
	d.begins(&d.reads, g.hash)
	p.Sink, p.Tally = g, tally.Uncounted
	to.Owner.Connection(c.lane.bulk).Request(req, p)
}

// Answered implements [upstream.Sink].
func (g *copiedGet) Answered(p *upstream.Pending, a *upstream.Answer) {
	c := g.client
	failed := a.IsError()
	found := g.begun || !failed && !missed(a)
	if !found {
		g.misses = g.misses || !failed
		if !c.gone() && g.asksNext() {
			return
		}
		if g.misses {
			g.sent.Loss = upstream.LossRefuses
			*a = upstream.Answer{Data: g.req.AppendMiss(nil, g.req.Key), Last: &protocol.Reply{Kind: protocol.ReplyEnd}}
		}
	}
	pool := g.to.Copies.Pools[0]
	switch {
	case found && !failed:
		pool.Stats.Hit(g.sent.Tally)
		g.to.Copies.Pools[g.copy].Stats.Verbs.Pool[status.CopiesRead]++
		if g.copy != g.lead && !g.begun {
			c.loop.fill(g.to.Copies, g.copy, g.req.Key)
		}
	case g.misses:
		pool.Stats.Miss(g.sent.Tally)
	}
	if found && g.copy != 0 && g.sent.Command == protocol.Gets && !failed {
		a.Data, a.Buffer = withoutCAS(a.Data), upstream.Lent
	}
	c.copied.ends(&c.copied.reads, g.hash)
	g.sent.Sent = p.Sent
	g.sink.Answered(&g.sent, a)
	c.Progress()
}

// asksNext asks the next copy that is up. It returns false if there is none.
func (g *copiedGet) asksNext() bool {
	next := g.to.Copies.Up(g.req.Key).After(g.copy)
	if next < 0 {
		return false
	}
	g.copy = next
	u := g.client.loop.memberOf(g.to.Copies.Pools[next], g.req.Key)
	p := g.sent
	p.Sink, p.Lane, p.Tally, p.Unsized = g, nil, tally.Uncounted, false
	u.Connection(g.bulk).Request(&g.req, &p)
	return true
}

// Streams implements [upstream.Streamer].
func (g *copiedGet) Streams(p *upstream.Pending, pieces bool) bool {
	return (g.copy == 0 || g.sent.Command != protocol.Gets) && g.relay.Streams(p, pieces)
}
