package lists

import (
	"math"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// List is the fold of a list's log: its elements after all tokens in order. It points into
// the log and keeps no copy of it. The zero value is an empty list, and a List can be
// reused for one log after another.
//
// An element is the token that has pushed it. The elements in order are those pushed at the
// left, newest first, and then those pushed at the right, oldest first.
type List struct {
	log         []byte
	tokens      []token
	left, right side
	length      int       // total length of the elements, in bytes
	foreign     int       // tokens of other kinds
	letters     int       // letters alone
	removed     []removed // by orders, the latest last
	noted       int       // tokens that appendRemoved writes, if none has expired
	now         int64     // the time when the log was read, in milliseconds, for [format.OrderID.Expired]

	table []uint32 // see index.go
}

// side is the elements that were pushed at one side.
type side struct {
	pushed []uint32 // indexes of their tokens, oldest first
	first  int      // all elements before pushed[first] were removed, and perhaps some after it
	live   int      // how many were not removed
}

// Kind is the kind of structure that a [List] is the fold of.
var Kind = format.Kind{Letter: letter, Name: "list", New: func() format.Fold { return &List{} }, Room: foldRoom, Ends: true}

// Read implements [format.Fold].
func (l *List) Read(p *verbs.Pace, log []byte, now int64) bool {
	l.Trim(max(verbs.KeptScratch, 2*foldRoom(len(log)/verbs.TypicalToken)))
	cut := splitter{log: log, tokens: l.tokens}
	p.EachByte(len(log), cut.some)
	cut.end()
	l.tokens = cut.tokens[:0]
	if cut.bad {
		return false
	}
	l.log, l.tokens, l.foreign, l.letters, l.now = log, cut.tokens, cut.foreign, cut.letters, now
	l.table = verbs.ClearTable(p, l.table, len(l.tokens))
	w := work{left: math.MaxInt}
	if p != nil && len(log) > p.Freely() { // a shorter log may be in the reply buffer, which a pause invalidates
		w.p = p
	}
	p.Each(len(l.tokens), func(from, to int) { l.apply(&w, from, to) })
	l.dropRemoved(p)
	return true
}

// Extend implements [format.Fold]. It returns false if the clock was put back, if the table is too
// small for the tokens, or if removing the elements would take too long without a pause.
func (l *List) Extend(log []byte, now int64) bool {
	if now < l.Since() {
		l.Trim(l.Kept())
		return false
	}
	known := len(l.tokens)
	cut := splitter{log: log, tokens: l.tokens, start: len(l.log)}
	cut.some(len(l.log), len(log))
	cut.end()
	if cut.bad || verbs.TableSize(len(cut.tokens)) > len(l.table) {
		l.Trim(l.Kept())
		return false
	}
	l.log, l.tokens, l.now = log, cut.tokens, now
	l.foreign, l.letters = l.foreign+cut.foreign, l.letters+cut.letters
	w := work{left: verbs.SliceTokens}
	if !l.apply(&w, known, len(l.tokens)) {
		l.Trim(l.Kept())
		return false
	}
	l.dropRemoved(nil)
	return true
}

// work is a budget for applying tokens, since one token may remove all elements.
type work struct {
	p    *verbs.Pace // to pause; nil if there may be no pause
	left int         // what is left of the budget, in tokens
}

// spend takes n tokens from the budget, and returns false if there were fewer left.
func (w *work) spend(n int) bool {
	w.p.Rest(n)
	w.left -= n
	return w.left >= 0
}

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

// restsAfter is how many steps are made before they are spent.
const restsAfter = 1 << 10

// side returns the side at which the element t was pushed.
func (l *List) side(t *token) *side {
	if t.sign(l.log) == pushLeft {
		return &l.left
	}
	return &l.right
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

// Since implements [format.Timed].
func (l *List) Since() (since int64) {
	for i := range l.removed {
		since = max(since, l.removed[i].id.ForgottenSince(l.now))
	}
	return since
}

// Until implements [format.Timed]. The state never changes by time alone: what orders have removed
// may be remembered for longer than necessary.
func (l *List) Until() int64 { return math.MaxInt64 }

// Expect implements [format.Fold].
func (l *List) Expect(p *verbs.Pace, tokens int) {
	l.Trim(max(verbs.KeptScratch, 2*foldRoom(tokens)))
	if cap(l.tokens) < tokens {
		p.Provide(tokens*tokenSize, func() { l.tokens = verbs.Fresh[token](tokens)[:0] })
	}
	if cap(l.right.pushed) < tokens {
		p.Provide(tokens*4, func() { l.right.pushed = verbs.Fresh[uint32](tokens)[:0] })
	}
}

// Trim implements [format.Fold].
func (l *List) Trim(keep int) {
	if l.Kept() > keep {
		*l = List{}
	}
	*l = List{
		tokens: l.tokens[:0], table: l.table[:0], removed: l.removed[:0],
		left: side{pushed: l.left.pushed[:0]}, right: side{pushed: l.right.pushed[:0]},
	}
}

// Kept implements [format.Fold].
func (l *List) Kept() int {
	return cap(l.tokens)*tokenSize + 4*(cap(l.table)+cap(l.left.pushed)+cap(l.right.pushed)) + cap(l.removed)*removedSize
}

// foldRoom returns the most memory, in bytes, that folding so many tokens takes: for a list
// of tokens that append has grown, both sides, the table, and what AppendNet needs.
func foldRoom(tokens int) int {
	return tokens*(tokenSize+2*4) + 4*verbs.TableSize(tokens) + netRoom(tokens)
}

// Live implements [format.Fold]. It returns the number of elements.
func (l *List) Live() int { return l.left.live + l.right.live }

// Dead implements [format.Fold]. What an order has removed is not superfluous as long as
// it is remembered.
func (l *List) Dead() int { return len(l.tokens) + l.foreign + l.letters - l.Live() - l.noted }

// Foreign implements [format.Fold].
func (l *List) Foreign() int { return l.foreign }
