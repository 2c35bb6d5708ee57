package front

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// A retrieval of several keys asks for all of them the copies that lead, and then other copies for those that are missing.

// beginCopies notes that the retrieval may be of keys with copies. A gat deletes other copies, as it changes the first.
func (g *gather) beginCopies() {
	if !g.routing.Copied && !g.routing.Moves {
		return
	}
	g.copied.begin(g.client.useCopied(), g.command)
	if g.routing.Copied && (g.command == protocol.Gat || g.command == protocol.Gats) {
		for _, key := range g.eachKey() {
			g.deleteCopies(key)
		}
	}
}

// deleteCopies deletes the copies of a key but the first.
func (g *gather) deleteCopies(key []byte) {
	of, stored := g.routing.CopiesOf(key)
	if of == nil || g.routing.Covers(key) {
		return
	}
	for _, p := range of.Pools[1:] {
		u := p.Owner(stored)
		if u.State != upstream.Up {
			u.Remember(stored, "")
			continue
		}
		// Nobody waits for it, as the value has not changed.
		u.First.Request(deletionOf(&protocol.Request{Key: stored}), &upstream.Pending{Sink: upstream.Ignored, Command: protocol.Delete, Loss: upstream.LossOutdates})
	}
}

// othersHave reports whether the keys of a reply that has failed can be asked for elsewhere, or another copy has missed them.
func (g *gather) othersHave(slot uint32) bool {
	if g.copied.parts == nil {
		return false
	}
	for i, key := range g.eachKey() {
		if asked, at := g.copied.asked(g.routing, i, g.wanted[i].owner, key); at == uint16(slot) {
			of, stored := g.routing.CopiesOf(key)
			missed := at != g.wanted[i].owner && !g.replies[g.wanted[i].owner].lost
			if of == nil || of.Up(stored).After(asked) < 0 && !missed {
				return false
			}
		}
	}
	g.replies[slot].lost = true
	return true
}

// asksCopies asks other copies for the keys that are missing. It returns false if there are none.
func (g *gather) asksCopies() bool {
	if g.copied.parts == nil || g.client.gone() || g.refusal != nil || g.command != protocol.Get && g.command != protocol.Gets {
		return false
	}
	more := g.asksMore()
	found := g.findsCopied()
	for i, key := range g.eachKey() {
		of, stored := g.routing.CopiesOf(key)
		if found[i] || of == nil {
			continue
		}
		asked, at := g.copied.asked(g.routing, i, g.wanted[i].owner, key)
		next := of.Up(stored).After(asked)
		if next < 0 {
			continue
		}
		if !g.replies[at].lost {
			of.Pools[asked].Stats.Misses[tally.Get]--
		}
		g.copied.parts[i] = copiedPart{next, more.add(g.loop.memberOf(of.Pools[next], stored), stored)}
		g.cut += len(noCASText)
	}
	more.send(nil)
	return len(more.slots) > 0
}

// findsCopied returns for each key whether it need not be asked for again.
func (g *gather) findsCopied() (found []bool) {
	rests := make([]gathered, len(g.replies)) // copies, of which the values are cut
	copy(rests, g.replies)
	for i, key := range g.eachKey() {
		owner := g.wanted[i].owner
		if int(owner) >= len(g.routing.Asked) {
			found = append(found, true)
			continue
		}
		stored := key[g.cutOf(key, owner):]
		value := rests[owner].cutNext(stored)
		if part, ok := g.copied.parts[i]; ok {
			value = rests[part.slot].cutNext(stored)
		}
		found = append(found, len(value) > 0 && !isMark(value))
	}
	return found
}

// cutNext cuts the next value off d, a copy whose parts are not freed, and returns it if it is that of key.
func (d *gathered) cutNext(key []byte) []byte {
	for len(d.rest) == 0 && d.merged < len(d.parts) {
		d.rest = d.parts[d.merged]
		d.merged++
	}
	n := protocol.CutValue(d.rest, key)
	value := d.rest[:n]
	d.rest = d.rest[n:]
	return value
}
