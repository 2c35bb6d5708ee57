package proxy

import (
	"github.com/memverbs/memverbs/protocol"
)

// dispatchRetrieval passes on a get, gets, gat or gats. If all its keys live
// on one upstream it goes there as it is; otherwise each upstream is asked for
// its own, and the values are put in the order of the keys asked for.
func (c *client) dispatchRetrieval(req *protocol.Request) {
	first := c.loop.locate(req.Key)
	if req.NumWords == 1 && req.Forwardable() && c.series == nil {
		c.forward(req, first, hashKey(req.Key))
		return
	}
	if len(c.loop.upstreams) == 1 && req.Forwardable() && c.series == nil {
		c.forward(req, first, 0)
		return
	}
	if req.More && c.series == nil {
		c.series = &series{}
	}
	g := c.loop.gather()
	g.client, g.more = c, req.More
	g.slot = c.slots.reserve(req.NumWords, c.series)
	g.ask(req)
	if !req.More {
		c.series = nil
	}
}

// gather is a retrieval, or a part of one, that several upstreams answer.
type gather struct {
	loop    *loop
	client  *client
	slot    uint32
	more    bool // further parts follow, so END is not for this one to say
	waiting int  // for so many upstreams
	keys    []byte
	owners  []uint16 // the upstream of each key
	replies []gathered
	refusal []byte // the first error
}

// gathered is what one upstream has answered.
type gathered struct {
	keys int    // how many it was asked for
	data []byte // in a buffer of the pool
	rest []byte // what has not been merged
}

// gather returns one that is not in use.
func (l *loop) gather() *gather {
	if n := len(l.gathers); n > 0 {
		g := l.gathers[n-1]
		l.gathers = l.gathers[:n-1]
		return g
	}
	return &gather{loop: l, replies: make([]gathered, len(l.upstreams))}
}

// ask sends each upstream a request for those of the keys that it owns.
func (g *gather) ask(req *protocol.Request) {
	g.keys = append(g.keys[:0], req.Words...)
	g.owners = g.owners[:0]
	for rest := req.Words; ; {
		var key []byte
		if key, rest = protocol.NextWord(rest); len(key) == 0 {
			break
		}
		u := g.loop.locate(key)
		g.owners = append(g.owners, uint16(u.index))
		if u.state == up {
			g.add(u, req, key)
		} else if g.refusal == nil {
			g.refusal = u.refusal
		}
	}
	for i := range g.replies {
		if g.replies[i].keys == 0 {
			continue
		}
		u := g.loop.upstreams[i]
		u.wire.out.write(lineEnd)
		u.push(pending{sink: g, slot: uint32(i), command: req.Command, keys: uint16(g.replies[i].keys)})
		g.waiting++
	}
	if g.waiting == 0 {
		g.finish()
	}
}

var lineEnd = []byte("\r\n")

// add puts key on the line to u.
func (g *gather) add(u *upstream, req *protocol.Request, key []byte) {
	out := &u.wire.out
	b := out.room(len(key) + protocol.MaxLine)
	if g.replies[u.index].keys++; g.replies[u.index].keys == 1 {
		b = append(b, req.Command.String()...)
		if len(req.Exptime) > 0 {
			b = append(append(b, ' '), req.Exptime...)
		}
	}
	out.extend(append(append(b, ' '), key...))
}

// answered takes the reply of one upstream.
func (g *gather) answered(p *pending, a *answer) {
	this := &g.replies[p.slot]
	switch {
	case a.fail || a.last.Kind == protocol.ReplyError:
		if g.refusal == nil {
			g.refusal = append([]byte(nil), a.data...)
		}
	case a.whole != nil:
		a.taken = true
		this.data = a.whole
	default:
		this.data = append(g.loop.pool.get(len(a.data)), a.data...)
	}
	this.rest = this.data
	if g.waiting--; g.waiting == 0 {
		g.finish()
	}
}

// finish answers the client and makes g ready for use again.
func (g *gather) finish() {
	c := g.client
	switch {
	case c.gone:
	case g.refusal != nil:
		c.reply(g.slot, g.refusal, true)
	default:
		merged := g.merge()
		c.learn(len(merged) / max(1, len(g.owners)))
		c.replyOwned(g.slot, merged, false)
	}
	for i := range g.replies {
		g.loop.pool.put(g.replies[i].data)
		g.replies[i] = gathered{}
	}
	g.client, g.refusal = nil, nil
	if len(g.loop.gathers) < maxRoutines {
		g.loop.gathers = append(g.loop.gathers, g)
	}
}

// merge puts the values in the order of the keys. An upstream leaves out what
// it does not have, so a key whose value is not next is a miss.
func (g *gather) merge() []byte {
	size := len("END\r\n")
	for i := range g.replies {
		size += len(g.replies[i].data)
	}
	merged := g.loop.pool.get(size)
	keys := g.keys
	for _, owner := range g.owners {
		var key []byte
		key, keys = protocol.NextWord(keys)
		this := &g.replies[owner]
		var unit protocol.Reply
		n, _, err := protocol.ParseReply(this.rest, &unit)
		if err == nil && unit.Kind == protocol.ReplyValue && string(unit.Key) == string(key) {
			merged = append(merged, this.rest[:n]...)
			this.rest = this.rest[n:]
		}
	}
	if !g.more {
		merged = append(merged, "END\r\n"...)
	}
	return merged
}
