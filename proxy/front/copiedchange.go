package front

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/copies"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// copiedChange is a change of a key with copies, from when it is dispatched until its client is answered.
type copiedChange struct {
	copies.Change
	client  *Client
	to      route.Target
	req     protocol.Request // with its key as it is stored
	words   []byte           // of req
	hash    uint8
	away    []*pool.Member // the servers that are down, which are not used again before the change ends
	then    func()         // carries out the request itself, if that is no request for a server
	answers upstream.Pending
	spoken  int // the copy whose reply is kept in said
	said    []byte
	error   *upstream.Answer // of a copy that may or may not have changed
}

// changeCopied carries out a change that to is the target of. p says how it is answered.
func (c *Client) changeCopied(req *protocol.Request, to route.Target, p *upstream.Pending, kind copies.Kind) {
	g := c.newCopiedChange(req, to, kind)
	g.answers = *p
	g.goesOn(g.beginAt(kind))
}

// deletesCopies reports whether a verb has to wait until other copies of its key are deleted. Then it is begun by then, which gets
// the request. A verb that changes nothing need not wait.
func (c *Client) deletesCopies(req *protocol.Request, to route.Target, then func(*protocol.Request)) bool {
	if v := catalog.Of(req); v.ReadOnly || v.Local || v.Everywhere || to.Owner == nil || to.Owner.State != upstream.Up {
		return false
	}
	g := c.newCopiedChange(req, to, copies.Alone)
	whole := g.req // with the prefix that the route strips, if any
	g.req.Key = to.Stored(g.req.Key)
	g.then = func() {
		then(&whole)
		c.Progress()
	}
	g.goesOn(g.beginAt(copies.Alone))
	return true
}

// newCopiedChange returns a change of a kind. Its client's next requests on the key wait until it ends.
func (c *Client) newCopiedChange(req *protocol.Request, to route.Target, kind copies.Kind) *copiedChange {
	g := &copiedChange{client: c, to: to, hash: hashOfCopied(req.Prefix, req.Key), spoken: copies.Most}
	g.words = req.CloneTo(&g.req, nil)
	g.Change = copies.NewChange(kind, len(to.Copies.Pools), to.Copies.Up(g.req.Key))
	c.loop.Account.Take(cap(g.words))
	d := c.useCopied()
	d.begins(&d.changes, g.hash)
	return g
}

// beginAt begins the change at the others.
func (g *copiedChange) beginAt(kind copies.Kind) copies.Step {
	for copy := range g.Away.All() {
		u := g.member(copy)
		u.Spares()
		g.away = append(g.away, u)
		g.to.Copies.Pools[copy].Stats.Verbs.Pool[status.CopiesPassedBy]++
	}
	g.remember()
	step := g.Next()
	req := &g.req
	if kind == copies.Alone {
		req = deletionOf(&g.req)
	}
	for copy := range g.Others.All() {
		p := upstream.Pending{Sink: g, Slot: uint32(copy), Command: req.Command, Loss: upstream.LossOutdates}
		g.member(copy).First.Request(req, &p)
	}
	return step
}

// remember remembers the key for the servers that are down: when the change begins, and once more when it ends, in case that others
// use one of them sooner and store there what the change has not reached.
func (g *copiedChange) remember() {
	for _, u := range g.away {
		u.Remember(g.req.Key, "")
	}
}

// member returns the server of a copy.
func (g *copiedChange) member(copy int) *pool.Member {
	return g.client.loop.memberOf(g.to.Copies.Pools[copy], g.req.Key)
}

// Answered implements [upstream.Sink]. The slot is that of a copy.
func (g *copiedChange) Answered(p *upstream.Pending, a *upstream.Answer) {
	copy := int(p.Slot)
	g.answers.Sent = p.Sent
	if a.Failed() || a.IsError() && copy != g.Lead && !p.Command.Storage() {
		g.fails(a) // whether the server is still used is known when this event has been handled
		g.client.loop.Post(func() { g.lost(copy) })
		return
	}
	// A server that can't store a new value has deleted the old one.
	g.keep(copy, a)
	g.told(copy, copies.Replied)
}

// lost is called when a server has not answered, or has not deleted the old value.
func (g *copiedChange) lost(copy int) {
	u := g.member(copy)
	if u.State != upstream.Up {
		g.told(copy, copies.Lost)
		return
	}
	u.Remember(g.req.Key, "")
	g.told(copy, copies.Unclear)
}

// keep keeps a reply if no copy before has replied.
func (g *copiedChange) keep(copy int, a *upstream.Answer) {
	if copy < g.spoken {
		g.spoken, g.said = copy, bytes.Clone(a.Data)
	}
}

// fails keeps the error of a copy.
func (g *copiedChange) fails(a *upstream.Answer) {
	g.error = &upstream.Answer{Outcome: upstream.Refused, Data: bytes.Clone(a.Data)}
}

// told is called when a copy has been changed, or when nobody knows.
func (g *copiedChange) told(copy int, r copies.Result) {
	if copy == g.Lead {
		g.goesOn(g.LeadTold(r))
		return
	}
	g.goesOn(g.Told(copy, r))
}

// goesOn does what follows.
func (g *copiedChange) goesOn(step copies.Step) {
	switch step {
	case copies.Leads:
		g.leads()
	case copies.Answers:
		g.succeeds()
	case copies.Fails:
		if g.then != nil { // a verb: what it makes has no copies, so hardly anybody misses the deletion
			g.leads()
			return
		}
		g.ends(g.error)
	}
}

// leads changes the copy that leads.
func (g *copiedChange) leads() {
	if g.then != nil {
		g.close()
		g.then()
		return
	}
	u := g.member(g.Lead)
	if !u.Tried { // it is about to be used: what is remembered now would not be deleted before that
		u.WhenTried(g.leads)
		return
	}
	if u.State != upstream.Up {
		u.Remember(g.req.Key, "")
		g.fails(&upstream.Answer{Data: u.Refuse()})
		g.told(g.Lead, copies.Lost)
		return
	}
	p := g.answers
	p.Sink, p.Slot, p.Quiet, p.Tally, p.Lane = g, uint32(g.Lead), false, tally.Uncounted, nil
	if g.req.Overwrites() || g.req.Command == protocol.Touch {
		p.Loss = upstream.LossOutdates
	}
	u.First.Request(&g.req, &p)
}

// succeeds answers the client with the reply of the first copy that has replied.
func (g *copiedChange) succeeds() {
	data := g.said
	if isMark(data) { // what a gat, or an mg that changes something, has found
		data = g.req.AppendMiss(nil, g.req.Key)
	}
	line := firstLine(data)
	last := &protocol.Reply{Kind: protocol.ReplyStatus, Line: line}
	if isErrorLine(line) {
		last.Kind = protocol.ReplyError
	} else {
		g.count(data, line)
	}
	g.ends(&upstream.Answer{Data: data, Last: last})
}

// count counts the outcome.
func (g *copiedChange) count(data, line []byte) {
	stats := g.to.Copies.Pools[0].Stats
	if g.req.Command.Retrieval() {
		stats.Retrieved(g.answers.Tally, 1, min(1, len(data)-len(endOfValues)))
		return
	}
	stats.Answered(g.answers.Tally, line)
}

// ends answers the client.
func (g *copiedChange) ends(a *upstream.Answer) {
	g.close()
	g.answers.Sink.Answered(&g.answers, a)
	g.client.Progress()
}

// close ends what holds others up.
func (g *copiedChange) close() {
	g.remember()
	for _, u := range g.away {
		u.Spared()
	}
	c := g.client
	c.copied.ends(&c.copied.changes, g.hash)
	c.loop.Account.Free(cap(g.words))
}
