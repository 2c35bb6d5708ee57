package lists

import (
	"iter"

	"github.com/memverbs/memverbs/verbs"
)

// Elements are found by their place in the list, which is counted from 0 at the left end.

// elements returns the elements from place from up to place to, in order.
func (l *List) elements(p *verbs.Pace, from, to int) iter.Seq[element] {
	return func(yield func(element) bool) {
		l.each(p, from, to, func(i uint32) { yield(l.tokens[i].element(l.log)) })
	}
}

// places returns the indexes of the tokens of the elements from place from up to place to,
// in order.
func (l *List) places(p *verbs.Pace, from, to int) []uint32 {
	all := verbs.Grow[uint32](p, nil, to-from)
	l.each(p, from, to, func(i uint32) { all = append(all, i) })
	return all
}

// each calls do with the indexes of the tokens of the elements from place from up to place
// to, in order.
func (l *List) each(p *verbs.Pace, from, to int, do func(uint32)) {
	n := l.left.live
	if from < n {
		l.eachOf(p, &l.left, true, from, min(to, n), do)
	}
	if to > n {
		l.eachOf(p, &l.right, false, max(from-n, 0), to-n, do)
	}
}

// eachOf is each for the elements of a side, of which the newest comes first if newest is
// set.
func (l *List) eachOf(p *verbs.Pace, s *side, newest bool, from, to int, do func(uint32)) {
	pushed := s.pushed[s.first:]
	place := func(i int) uint32 {
		if newest {
			i = len(pushed) - 1 - i
		}
		return pushed[i]
	}
	at := from
	if s.live < len(pushed) {
		at = l.skip(p, place, from, s.live, len(pushed))
	}
	p.Each(to-from, func(some, end int) {
		for ; some < end; at++ {
			if i := place(at); l.tokens[i].live() {
				do(i)
				some++
			}
		}
	})
}

// skip returns the index of the n-th live element among all elements, of which live are live. It
// counts from the nearer end.
func (l *List) skip(p *verbs.Pace, place func(int) uint32, n, live, all int) int {
	if all <= verbs.SliceTokens { // the log may be in the reply buffer, which a pause invalidates
		p = nil
	}
	if n <= live/2 {
		for at := 0; ; at++ {
			if at%stepsRest == stepsRest-1 {
				p.Rest(stepsRest / stepsToken)
			}
			if !l.tokens[place(at)].live() {
				continue
			}
			if n == 0 {
				return at
			}
			n--
		}
	}
	at := all
	for n = live - n; n > 0; {
		if at--; l.tokens[place(at)].live() {
			n--
		}
		if at%stepsRest == 0 {
			p.Rest(stepsRest / stepsToken)
		}
	}
	return at
}

// Passing elements is work too: skip may pause after stepsRest of them, and stepsToken of them take
// as long as a token.
const (
	stepsRest  = 1 << 12
	stepsToken = 8
)

// size returns the length of words from place from up to place to, with a space between each two.
func (l *List) size(p *verbs.Pace, from, to int) int {
	if from == 0 && to == l.Live() {
		return l.length + max(to-1, 0)
	}
	size := 0
	for e := range l.elements(p, from, to) {
		size += len(e.text) + len(" ")
	}
	return max(size-len(" "), 0)
}

// span returns the places that start and stop mean in a list of n elements, as the first of
// them and the one after the last. Negative ones count from the end; places outside of the list are
// cut off.
func span(start, stop int64, n int) (from, to int) {
	if start < 0 {
		start = max(start+int64(n), 0)
	}
	if stop < 0 {
		stop += int64(n)
	}
	from, to = int(min(start, int64(n))), int(min(stop, int64(n)-1))+1
	return from, max(to, from)
}
