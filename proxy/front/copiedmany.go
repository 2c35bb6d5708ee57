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
	found := g.finds()
	for i, key := range g.eachKey() {
		of, stored := g.routing.CopiesOf(key)
		if found[i] || of == nil || int(g.wanted[i].owner) >= len(g.routing.Asked) {
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
