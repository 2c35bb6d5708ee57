package lists

import "github.com/memverbs/memverbs/verbs"

// AppendLog implements [format.Fold].
func (l *List) AppendLog(p *verbs.Pace, dst []byte) []byte {
	dst = l.appendRemoved(p, dst)
	dst = verbs.Grow(p, dst, l.length+l.Live()*len("l> ")+l.data)
	l.each(p, 0, l.Live(), func(i uint32) { dst = appendElement(dst, pushRight, l.tokens[i].element(l.log)) })
	return dst
}

// LogSize implements [format.Sized].
func (l *List) LogSize() int {
	size := l.length + l.Live()*len("l> ") + l.data
	for i := range l.removed {
		size += removedText + logSize(l.elementsOf(nil, &l.removed[i].Is))
	}
	return size
}

// removedText is more than the length of the token of an order that is remembered, in bytes.
const removedText = 64

// AppendNet implements [format.Fold]. Of the tokens of each value, or of each id of an element with data, it leaves out
//
//   - those before an l-v,
//   - a l)v and the newest l>v that is left, if no l(v or l)v that was kept comes after that
//     push: then it surely is the last v when the removal comes;
//   - a l(v and the newest l<v, likewise.
//
// But an order may remove any value, so no token before an order is left out because of a token
// after it.
func (l *List) AppendNet(p *verbs.Pace, dst []byte) []byte {
	if len(l.tokens) == 0 {
		return dst
	}
	n := net{List: l, table: verbs.ClearTable(p, nil, len(l.tokens))}
	p.Provide(len(l.tokens)*netTokenSize, func() { n.tokens = verbs.Fresh[netToken](len(l.tokens)) })
	p.Each(len(n.tokens), n.findFirsts)
	p.Each(len(n.tokens), n.dropKilled)
	p.Each(len(n.tokens), n.cancel)
	dst = verbs.Grow(p, dst, len(l.log)+1) // each token written occurs in the log
	p.Each(len(n.tokens), func(from, to int) {
		for i := from; i < to; i++ {
			if t := &l.tokens[i]; !n.tokens[i].dropped {
				dst = appendElement(dst, t.sign(l.log), t.element(l.log))
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
	after  uint32 // for cancel: tokens before this index precede an order
	orders uint32 // for dropKilled: how many orders come later
}

// netToken is what AppendNet notes of a token and, if it is the first with its value, of the value.
type netToken struct {
	first   uint32 // index of the first token with the same value
	below   uint32 // of a push: 1 + the index of the next older push that may be cancelled, or 0
	dropped bool

	newest [2]uint32 // of a value: 1 + the index of the newest push at the left and right that may be cancelled, or 0
	killed uint32    // of a value: 1 + how many orders come after its oldest l-v that was seen, or 0
}

const netTokenSize = 24 // in bytes

// netMemory returns how much memory AppendNet takes for so many tokens, in bytes.
func netMemory(tokens int) int { return tokens*netTokenSize + 4*verbs.TableSize(tokens) }

// findFirsts sets the first tokens with the values of the tokens from index from to index to.
func (n *net) findFirsts(from, to int) {
	for i := from; i < to; i++ {
		if n.List.tokens[i].ofValue(n.log) {
			n.tokens[i].first = n.firstOf(uint32(i))
		}
	}
}

// dropKilled drops the tokens before an l-v. It goes through them from the end: from and to
// count from there.
func (n *net) dropKilled(from, to int) {
	last := len(n.tokens) - 1
	for i := last - from; i > last-to; i-- {
		t, this := &n.List.tokens[i], &n.tokens[i]
		sign := t.sign(n.log)
		if sign == signOrder {
			n.orders++
		}
		if !t.ofValue(n.log) {
			continue
		}
		of := &n.tokens[this.first]
		this.dropped = of.killed == n.orders+1
		if sign == removeAll {
			of.killed = n.orders + 1
		}
	}
}

// cancel drops, among the tokens from index from to index to, each removal together with the push
// that it surely removes.
func (n *net) cancel(from, to int) {
	for i := from; i < to; i++ {
		t, this := &n.List.tokens[i], &n.tokens[i]
		sign := t.sign(n.log)
		if sign == signOrder {
			n.after = uint32(i)
		}
		if this.dropped || !t.ofValue(n.log) {
			continue
		}
		of := &n.tokens[this.first]
		switch sign {
		case pushLeft, pushRight:
			newest := &of.newest[sideOf(sign)]
			this.below, *newest = *newest, uint32(i+1)
		case removeAll:
			of.newest = [2]uint32{}
		default:
			newest := &of.newest[sideOf(sign)]
			if *newest <= n.after {
				of.newest = [2]uint32{}
				continue
			}
			push := &n.tokens[*newest-1]
			push.dropped, this.dropped = true, true
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

// firstOf returns the index of the first token with the value of token i.
func (n *net) firstOf(i uint32) uint32 {
	t := &n.List.tokens[i]
	slot := verbs.SlotIn(n.table, t.hash>>hashShift, func(slot uint32) bool {
		return n.List.tokens[slot-1].sameName(t, n.log)
	})
	if *slot == 0 {
		*slot = i + 1
	}
	return *slot - 1
}
