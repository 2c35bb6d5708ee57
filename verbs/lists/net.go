package lists

import (
	"bytes"

	"github.com/memverbs/memverbs/verbs"
)

// AppendLog implements [structure.Fold].
func (l *List) AppendLog(p *verbs.Pace, dst []byte) []byte {
	dst = verbs.Grow(p, dst, l.length+l.Live()*len("l> "))
	for value := range l.values(p, 0, l.Live()) {
		dst = appendToken(dst, pushRight, value)
	}
	return dst
}

// AppendNet implements [structure.Fold]. Of the tokens of each value it leaves out
//
//   - those before an l-v,
//   - a l)v and the newest l>v that is left, if no l(v or l)v that was kept comes after that
//     push: then it surely is the last v when the removal comes;
//   - a l(v and the newest l<v, likewise.
func (l *List) AppendNet(p *verbs.Pace, dst []byte) []byte {
	if len(l.tokens) == 0 {
		return dst
	}
	n := net{List: l}
	size := tableSize(len(l.tokens))
	p.Provide(4*size, func() { n.table = verbs.Fresh[uint32](size) })
	p.Provide(len(l.tokens)*netTokenSize, func() { n.tokens = verbs.Fresh[netToken](len(l.tokens)) })
	p.Each(len(n.tokens), n.cancel)
	dst = verbs.Grow(p, dst, len(l.log)+1) // each token written occurs in the log
	p.Each(len(n.tokens), func(from, to int) {
		for i := from; i < to; i++ {
			if t := &l.tokens[i]; n.kept(i) {
				dst = appendToken(dst, t.sign(l.log), t.value(l.log))
			}
		}
	})
	return dst
}

// net is what AppendNet needs to know.
type net struct {
	*List
	table  []uint32 // by the hash of a value: 1 + the index of its first token, or 0
	tokens []netToken
}

// netToken is what AppendNet notes of a token, and of its value if it is the first with it.
type netToken struct {
	first     uint32 // index of the first token with the same value
	below     uint32 // of a push: 1 + the index of the next older push that may be cancelled, or 0
	cancelled bool

	newest [2]uint32 // of a value: 1 + the index of the newest push at the left and right that may be cancelled, or 0
	since  uint32    // of a value: index of its newest l-v; tokens before that mean nothing
}

const netTokenSize = 24 // in bytes

// netRoom returns how much memory AppendNet takes for so many tokens, in bytes.
func netRoom(tokens int) int { return tokens*netTokenSize + 4*tableSize(tokens) }

// cancel does so for the tokens from index from to index to.
func (n *net) cancel(from, to int) {
	for i := from; i < to; i++ {
		this := &n.tokens[i]
		this.first = n.firstOf(uint32(i))
		of := &n.tokens[this.first]
		switch sign := n.List.tokens[i].sign(n.log); sign {
		case pushLeft, pushRight:
			newest := &of.newest[sideOf(sign)]
			this.below, *newest = *newest, uint32(i+1)
		case removeAll:
			of.newest, of.since = [2]uint32{}, uint32(i)
		default:
			newest := &of.newest[sideOf(sign)]
			if *newest == 0 {
				of.newest = [2]uint32{}
				continue
			}
			push := &n.tokens[*newest-1]
			push.cancelled, this.cancelled = true, true
			*newest = push.below
		}
	}
}

// sideOf returns 0 for a token that is about the left end, and 1 for one about the right.
func sideOf(sign byte) int {
	if sign == pushLeft || sign == removeFirst {
		return 0
	}
	return 1
}

// kept reports whether token i is part of the net.
func (n *net) kept(i int) bool {
	this := &n.tokens[i]
	return !this.cancelled && i >= int(n.tokens[this.first].since)
}

// firstOf returns the index of the first token with the value of token i.
func (n *net) firstOf(i uint32) uint32 {
	t := &n.List.tokens[i]
	mask := uint32(len(n.table) - 1)
	for at := t.hash >> 1; ; at++ {
		slot := &n.table[at&mask]
		if *slot == 0 {
			*slot = i + 1
			return i
		}
		of := &n.List.tokens[*slot-1]
		if (of.hash^t.hash)>>1 == 0 && bytes.Equal(of.value(n.log), t.value(n.log)) {
			return *slot - 1
		}
	}
}
