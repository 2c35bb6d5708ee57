package front

import (
	"slices"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/memory"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/reply"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// gather is a retrieval, or a part of one, that is fanned out to several upstreams, or
// to verbs that its keys name.
type gather struct {
	upstream.InMemory

	loop    *Loop
	routing *route.Table // when it began
	client  *Client
	command protocol.Command
	slot    uint32
	quiet   bool       // a bundle of quiet gets: keys without an answer are missing
	more    bool       // further parts follow, so this one does not end with END
	waiting int        // replies outstanding; one more until all have been requested
	keys    []byte     // one after another
	wanted  []wanted   // for each key: its length and the reply with its value
	replies []gathered // of the upstreams, then of the verbs
	near    nearValues
	until   int64 // until when it may wait for missing keys; 0 if it does not
	held    *held // nil unless it has waited
	missing []int // the indexes of the keys for which it waits
	spaced  spacedParts
	refusal []byte // the first error
	named   named
	copied  copiedParts
	shadow  shadowedKeys
	counted int // memory of keys and wanted, in bytes, as counted in the loop's account
	cut     int // bytes of the prefixes that the keys are stripped of
}

// named is what a retrieval has of keys that name verbs.
type named struct {
	keys [][]byte
	size int // of the values so far, in bytes
	last int // index of the key whose verb is begun last, plus one; 0 if there is none or it has begun
}

// gather returns a gather that is not in use.
func (l *Loop) gather(r *route.Table) *gather {
	g := l.reuse.gathers.Take()
	g.loop, g.routing = l, r
	g.replies = slices.Grow(g.replies, len(r.Asked))[:len(r.Asked)]
	return g
}

// ask sends each upstream a request for its keys, and notes the keys that name verbs.
func (g *gather) ask(req *protocol.Request) {
	g.keys = slices.Grow(g.keys[:0], len(req.Words)) // once, as the verbs' keys stay there
	g.wanted = g.wanted[:0]
	g.near.begin(g.routing, g.command)
	for key := range protocol.Words(req.Words) {
		g.keys = append(g.keys, key...)
		g.wanted = append(g.wanted, wanted{uint16(len(key)), g.askFor(req, g.keys[len(g.keys)-len(key):])})
	}
	g.account()
	g.waiting = 1 // until all have been asked
	for i, u := range g.routing.Asked {
		if g.replies[i].keys == 0 {
			continue
		}
		to, this := u.Connection(g.client.lane.bulk), &g.replies[i]
		to.Out().Write(lineEnd)
		to.Push(&upstream.Pending{Sink: g, Lane: &g.client.lane.Lane, Slot: uint32(i), Command: req.Command, Tally: tally.Of(req), Keys: uint16(this.keys), Unsized: !g.client.replies.expected.seen})
		g.waiting++
	}
	g.sendSpaced(req)
	g.shadow.ask(req, &g.loop.Account)
	g.waiting += len(g.spaced.moved)
	g.spaced.beginMoved()
}

// name adds a key that names a verb, and returns the index of its reply.
func (g *gather) name(key []byte) uint16 {
	g.named.keys = append(g.named.keys, key)
	g.replies = append(g.replies, gathered{})
	return uint16(len(g.replies) - 1)
}

// askFor adds a key to the request of its upstream or verb, and returns the index of
// the reply.
func (g *gather) askFor(req *protocol.Request, key []byte) (owner uint16) {
	if g.routing.Covers(key) {
		return g.name(key)
	}
	g.near.mark(key)
	if g.routing.Spaced || g.routing.Moves {
		if owner, refusal, is := g.askByCall(req, key); is {
			if refusal != "" {
				g.refuse([]byte(refusal))
			}
			return owner
		}
	}
	if value := g.near.find(key); value != nil {
		g.cut += g.routing.Cut(key)
		if g.accepts(len(value), g.loop.largeReply()) {
			g.add(nearOwner, value, false)
		}
		return nearOwner
	}
	u, i, stored := g.routing.Locate(req.Command, key)
	g.cut += len(key) - len(stored)
	if u.State == upstream.Up {
		g.request(u, &g.replies[i], req, stored)
		if g.routing.Shadows {
			g.shadow.note(g.routing, req.Command, key, len(g.wanted))
		}
	} else if refusal := u.Refuse(); !g.routing.Misses[i] {
		g.failed(refusal)
	}
	return uint16(i)
}

// askByCall adds a key to those that are asked for by calls, if it is in a namespace or moves. It returns the index of the reply, and
// why the retrieval is to be refused, if it is.
func (g *gather) askByCall(req *protocol.Request, key []byte) (owner uint16, refusal string, is bool) {
	to := g.routing.Target(key)
	if to.Namespace > 0 {
		owner, refusal = g.askSpaced(req, key, to)
		return owner, refusal, true
	}
	return g.spaced.askMoved(g.loop, req, key, to, g)
}

// eachKey returns the keys.
func (g *gather) eachKey() (list [][]byte) {
	keys := g.keys
	for _, w := range g.wanted {
		list = append(list, keys[:w.length])
		keys = keys[w.length:]
	}
	return list
}

// account counts the memory of the request.
func (g *gather) account() {
	g.counted = cap(g.keys) + wantedSize*cap(g.wanted)
	g.loop.Account.Take(g.counted)
	g.client.replies.gathering += g.counted
}

// maxGatherIdle is how many bytes an idle gather keeps for later requests.
const maxGatherIdle = 4 << 10

// of returns the reply with an index.
func (g *gather) of(owner uint16) *gathered {
	switch {
	case owner == nearOwner:
		return &g.near.gathered
	case isSpaced(owner):
		return &g.spaced.replies[owner-firstSpaced]
	}
	return &g.replies[owner]
}

// release frees the memory of the request if it is large.
func (g *gather) release() {
	g.loop.Account.Free(g.counted)
	g.client.replies.gathering -= g.counted
	if g.counted > maxGatherIdle {
		g.keys, g.wanted = nil, nil
	}
}

// refuse records an error line. The client gets the first.
func (g *gather) refuse(line []byte) {
	if g.refusal == nil {
		g.refusal = line
	}
}

// finds returns for each key whether it was found.
func (g *gather) finds() (found []bool) {
	rests := make([]gathered, len(g.replies)+1) // copies, of which the values are cut
	copy(rests, g.replies)
	rests[len(g.replies)] = g.near.gathered
	for i, key := range g.eachKey() {
		owner := g.wanted[i].owner
		stored := key[g.cutOf(key, owner):]
		value := rests[min(int(owner), len(g.replies))].cutNext(stored)
		if part, ok := g.copied.parts[i]; ok {
			value = rests[part.slot].cutNext(stored)
		}
		found = append(found, len(value) > 0 && (g.copied.parts == nil || !isMark(value)))
	}
	return found
}

// failed records the error for some of the keys. A multi-get of the binary protocol leaves these keys
// out instead of reporting the error.
func (g *gather) failed(line []byte) {
	if g.quiet {
		reply.CountError(&g.loop.Stats, line)
		return
	}
	g.refuse(line)
}

var lineEnd = []byte("\r\n")

// request appends key to the request for u, whose reply goes to this.
func (g *gather) request(u *pool.Member, this *gathered, req *protocol.Request, key []byte) {
	to := u.Connection(g.client.lane.bulk)
	out := to.Out()
	b := out.Room(len(key) + protocol.MaxLine)
	if this.keys++; this.keys == 1 {
		b = req.AppendExptime(append(b, req.Command.String()...))
	}
	out.Extend(append(append(b, ' '), key...))
	to.Expected.Extend(append(append(to.Expected.Text(), ' '), key...))
}

// accepts reports whether to keep n more bytes of values: not if the client is gone, or if the
// request is refused. It refuses the request if its values would have free bytes or more, and memory
// is short.
func (g *gather) accepts(n, free int) bool {
	if g.client.gone() || g.refusal != nil {
		g.drop()
		return false
	}
	size := g.size() + n
	if size < free || g.loop.hasMemory(n) {
		return true
	}
	g.client.learn(size / max(1, len(g.wanted)))
	g.refuse([]byte(upstream.OutOfMemory))
	g.drop()
	return false
}

// add adds data to the reply of slot. See [gathered.add].
func (g *gather) add(slot uint32, data []byte, taken bool) {
	g.client.replies.gathering += len(data)
	g.of(uint16(slot)).add(&g.loop.Buffers.Pool, data, taken)
}

// finish answers the client and makes g ready for use again.
func (g *gather) finish() {
	c := g.client
	switch {
	case c.gone():
	case g.refusal != nil:
		c.reply(g.slot, g.refusal, true)
	default:
		g.deliver()
	}
	g.drop()
	g.near.end(g.keys, g.wanted)
	g.copied.end()
	g.shadow.end()
	for i := range g.replies {
		g.replies[i].keys = 0
	}
	clear(g.named.keys)
	g.named = named{keys: g.named.keys[:0]}
	g.replies = g.replies[:0]
	g.spaced.clear()
	g.release()
	g.client, g.routing, g.refusal, g.cut, g.held = nil, nil, nil, 0, nil
	g.loop.reuse.gathers.Keep(g)
}

// deliver sends the values to the client. If theirs is the first outstanding reply and they are
// large, they are sent while they are merged, which avoids copying all of them once more.
func (g *gather) deliver() {
	c, size, end := g.client, g.size()+g.cut, ""
	if !g.more {
		end = "END\r\n"
	}
	c.learn(size / max(1, len(g.wanted)))
	switch {
	case size <= memory.MaxBuffer:
	case c.canPass(g.slot):
		g.merge(func(begin, value []byte) {
			c.conn.Out.Write(begin)
			c.conn.Pass(value)
		})
		c.reply(g.slot, []byte(end), false)
		return
	case !g.loop.hasMemory(size):
		c.reply(g.slot, []byte(upstream.OutOfMemory), true)
		return
	}
	merged := g.loop.Buffers.Get(size + len(end))
	g.merge(func(begin, value []byte) { merged = append(append(merged, begin...), value...) })
	c.replyOwned(g.slot, append(merged, end...), false)
}

// merge passes the values to to, in the order of the keys, each in two pieces: the beginning of its line if that has
// to be changed, so that it has the client's key; and the rest.
func (g *gather) merge(to func(begin, value []byte)) {
	keys := g.keys
	for i, this := range g.wanted {
		key := keys[:this.length]
		keys = keys[this.length:]
		cut := g.cutOf(key, this.owner)
		value := g.of(this.owner).next(&g.loop.Buffers.Pool, key[cut:])
		if g.copied.parts != nil {
			value = g.copied.value(g.loop, g.routing, g.command, g.replies, i, this.owner, key, value)
		}
		if g.shadow != nil {
			g.shadow.tell(i, value != nil)
		}
		g.near.keep(key, value, this.owner)
		switch {
		case value == nil:
		case cut == 0:
			to(nil, value)
		default:
			to(g.loop.scratch.stripped.Begin(value, key[:cut]))
		}
	}
}

// cutOf returns how many bytes were stripped from key, of which owner was asked.
func (g *gather) cutOf(key []byte, owner uint16) int {
	if isSpaced(owner) {
		return 0 // the call has restored it
	}
	if named := int(owner) - len(g.routing.Asked); g.cut == 0 || named >= 0 && named < len(g.named.keys) {
		return 0
	}
	return g.routing.Cut(key)
}

// size returns the bytes received.
func (g *gather) size() (size int) {
	for i := range g.replies {
		size += g.replies[i].size
	}
	for i := range g.spaced.replies {
		size += g.spaced.replies[i].size
	}
	return size + g.near.size
}

// drop frees the values received.
func (g *gather) drop() {
	g.client.replies.gathering -= g.size()
	for i := range g.replies {
		g.replies[i].drop(&g.loop.Buffers.Pool)
	}
	for i := range g.spaced.replies {
		g.spaced.replies[i].drop(&g.loop.Buffers.Pool)
	}
	g.near.drop(&g.loop.Buffers.Pool)
}
