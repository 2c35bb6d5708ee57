package front

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/status"
)

// copiedParts are the keys of a retrieval, by their indexes, for which another copy was asked than the one that leads. There is no map
// if no key has copies.
type copiedParts struct {
	of    *copied // the client's
	parts map[int]copiedPart
	gat   bool // the retrieval changes its keys
}

// copiedPart is such a key.
type copiedPart struct {
	copy int
	slot uint16 // of the reply
}

// begin notes that a retrieval of a client may be of keys with copies, or of keys that move.
func (p *copiedParts) begin(of *copied, command protocol.Command) {
	of.many++
	of.all++
	*p = copiedParts{of: of, parts: map[int]copiedPart{}, gat: command == protocol.Gat || command == protocol.Gats}
	if p.gat {
		of.gats++
	}
}

// end ends that.
func (p *copiedParts) end() {
	if p.parts != nil {
		p.of.many--
		p.of.all--
		if p.gat {
			p.of.gats--
		}
		*p = copiedParts{}
	}
}

// asked returns the copy of a key that was asked last, and the slot of the reply. owner is that of the first one.
func (p *copiedParts) asked(r *route.Table, i int, owner uint16, key []byte) (copy int, slot uint16) {
	if part, ok := p.parts[i]; ok {
		return part.copy, part.slot
	}
	if of, _ := r.CopiesOf(key); of != nil && int(owner) < len(r.Asked) {
		copy = of.Of(r.Asked[owner])
	}
	return copy, owner
}

// value returns the value of a key, nil for a miss. first is what the first copy that was asked, owner, has answered.
func (p *copiedParts) value(l *Loop, r *route.Table, command protocol.Command, replies []gathered, i int, owner uint16, key, first []byte) []byte {
	of, stored := r.CopiesOf(key)
	if of == nil || int(owner) >= len(r.Asked) {
		return first
	}
	value := first
	copy, slot := p.asked(r, i, owner, key)
	if slot != owner {
		value = replies[slot].next(&l.Buffers.Pool, stored)
	}
	if value == nil || isMark(value) {
		return nil
	}
	of.Pools[copy].Stats.Verbs.Pool[status.CopiesRead]++
	if slot != owner {
		l.fill(of, copy, stored)
	}
	if (command == protocol.Gets || command == protocol.Gats) && copy > 0 {
		return withoutCAS(value)
	}
	return value
}
