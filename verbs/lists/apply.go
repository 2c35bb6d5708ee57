package lists

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// apply applies the tokens from index from to index to, in order. It returns false if that
// costs more than w has.
func (l *List) apply(w *work, from, to int) bool {
	for i := from; i < to; i++ {
		t := &l.tokens[i]
		switch sign := t.sign(l.log); sign {
		case pushRight, pushLeft:
			s := l.side(t)
			s.pushed = append(s.pushed, uint32(i))
			s.live++
			l.length += int(t.to - t.from)
			l.data += int(t.hash & ofData / ofData)
			l.insert(l.find(t), uint32(i), sign == pushLeft)
			continue
		case signOrder:
			if !l.carryOut(w, t) {
				return false
			}
		case signRemoved:
			id, _, _ := format.ParseOrderID(t.value(l.log))
			if !l.remember(w, id) {
				return false
			}
		case signValue:
			l.note(uint32(i))
		default:
			if !l.removeSome(w, l.find(t), sign) {
				return false
			}
		}
		t.hash |= dead
	}
	return true
}

// removeSome removes what a removal with the given sign removes of the elements of slot. It
// returns false if that costs more than w has.
func (l *List) removeSome(w *work, slot *uint32, sign byte) bool {
	for n := 1; *slot != 0 && l.tokens[*slot-1].live(); n++ {
		i := *slot - 1
		if sign == removeLast {
			i = l.tokens[i].previous
		}
		if l.remove(slot, i); sign != removeAll {
			break
		}
		if n%restsAfter == 0 && !w.spend(restsAfter) {
			return false
		}
	}
	return true
}

// dropRemoved takes removed elements off the ends of both sides. In a queue or a stack no others
// are removed, so that the place of an element is its index. If most elements in the middle of a
// side were removed, dropRemoved takes these off too, since a search for a place has to pass them.
func (l *List) dropRemoved(p *verbs.Pace) {
	for _, s := range []*side{&l.left, &l.right} {
		for s.first < len(s.pushed) && !l.tokens[s.pushed[s.first]].live() {
			s.first++
		}
		last := len(s.pushed)
		for last > s.first && !l.tokens[s.pushed[last-1]].live() {
			last--
		}
		s.pushed = s.pushed[:last]
		if last-s.first > 2*s.live {
			l.dropMiddle(p, s)
		}
	}
}

// dropMiddle takes all removed elements off a side.
func (l *List) dropMiddle(p *verbs.Pace, s *side) {
	kept := 0
	p.Each(len(s.pushed), func(from, to int) {
		for _, i := range s.pushed[from:to] {
			if l.tokens[i].live() {
				s.pushed[kept] = i
				kept++
			}
		}
	})
	s.pushed, s.first = s.pushed[:kept], 0
}
