package proxy

import (
	"github.com/memverbs/memverbs/protocol"
)

// dispatchRetrieval passes on a get, gets, gat or gats. If all its keys live
// on one upstream it goes there as it is; otherwise each upstream is asked for
// its own, and the values are put in the order of the keys asked for.
func (c *client) dispatchRetrieval(req *protocol.Request) {
	first := c.loop.locate(req.Key)
	named := c.loop.carriage.load.named
	whole := !req.More && c.series == nil && named == 0
	if whole && (req.NumWords == 1 || len(c.loop.upstreams) == 1) {
		c.forward(req, first)
		return
	}
	if req.More && c.series == nil {
		c.series = &series{}
	}
	if named > 0 && req.Command != protocol.Get && req.Command != protocol.Gets {
		c.refuseGat(req)
	} else {
		c.gather(req, "")
	}
	if !req.More {
		c.series = nil
	}
}

// gather asks for the keys of req. If there is a refusal, that is the answer.
func (c *client) gather(req *protocol.Request, refusal string) {
	g := c.loop.gather()
	g.client, g.command, g.more = c, req.Command, req.More
	g.slot = c.slots.reserve(req.NumWords, c.series)
	if refusal != "" {
		g.refusal = []byte(refusal + "\r\n")
	}
	g.ask(req)
}

// gather is a retrieval, or a part of one, that several upstreams answer, or
// verbs that its keys name.
type gather struct {
	loop    *loop
	client  *client
	command protocol.Command
	slot    uint32
	more    bool // further parts follow, so END is not for this one to say
	waiting int  // for so many upstreams, and for the verbs
	keys    []byte
	owners  []uint16   // which of the replies holds each key
	replies []gathered // of the upstreams, then of the verbs
	refusal []byte     // the first error
	named   named
}

// gathered is what one upstream, or verb, has answered.
type gathered struct {
	keys   int    // how many it was asked for
	length int    // of these, with a space before each, in bytes
	data   []byte // in a buffer of the pool
	rest   []byte // what has not been merged
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

// ask sends each upstream a request for those of the keys that it owns, and
// has the verbs carried out that keys name.
func (g *gather) ask(req *protocol.Request) {
	g.keys = append(g.keys[:0], req.Words...)
	g.owners = g.owners[:0]
	for rest := g.keys; ; {
		var key []byte
		if key, rest = protocol.NextWord(rest); len(key) == 0 {
			break
		}
		if g.loop.carriage.covers(key) {
			g.owners = append(g.owners, g.name(key))
			continue
		}
		u := g.loop.locate(key)
		g.owners = append(g.owners, uint16(u.index))
		if u.state == up {
			g.add(u, req, key)
		} else {
			g.refuse(u.refuse())
		}
	}
	g.waiting = 1 // for all to have been asked
	for i, u := range g.loop.upstreams {
		if g.replies[i].keys == 0 {
			continue
		}
		to, this := u.connection(g.client.lane.bulk), &g.replies[i]
		to.wire.out.write(lineEnd)
		to.push(pending{sink: g, client: g.client, slot: uint32(i), command: req.Command, tally: tallyOf(req), keys: uint16(this.keys), expected: uint32(this.length)})
		g.waiting++
	}
	g.askNamed()
	g.part()
}

// refuse notes an error, with its line end. The first is what the client is told.
func (g *gather) refuse(line []byte) {
	if g.refusal == nil {
		g.refusal = line
	}
}

// part is called when one of those that are waited for has answered.
func (g *gather) part() {
	if g.waiting--; g.waiting == 0 {
		g.finish()
	}
}

var lineEnd = []byte("\r\n")

// add puts key on the line to u.
func (g *gather) add(u *upstream, req *protocol.Request, key []byte) {
	to := u.connection(g.client.lane.bulk)
	out := &to.wire.out
	b := out.room(len(key) + protocol.MaxLine)
	if g.replies[u.index].keys++; g.replies[u.index].keys == 1 {
		b = req.AppendExptime(append(b, req.Command.String()...))
	}
	out.extend(append(append(b, ' '), key...))
	to.expected.text = append(append(to.expected.text, ' '), key...)
	g.replies[u.index].length += 1 + len(key)
}

// answered takes the reply of one upstream.
func (g *gather) answered(p *pending, a *answer) {
	this := &g.replies[p.slot]
	switch {
	case a.fail || a.last.Kind == protocol.ReplyError:
		g.refuse(append([]byte(nil), a.data...))
	case a.whole != nil:
		a.taken = true
		this.data = a.whole
	default:
		this.data = append(g.loop.pool.get(len(a.data)), a.data...)
	}
	this.rest = this.data
	g.part()
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
	clear(g.named.keys)
	g.named = named{keys: g.named.keys[:0]}
	g.replies = g.replies[:len(g.loop.upstreams)]
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
