package sets

import (
	"slices"

	"github.com/memverbs/memverbs/verbs"
)

// AppendMembers appends the members to dst with one space between, in the
// order in which they were last added after being absent.
func (s *Set) AppendMembers(p *verbs.Pace, dst []byte) []byte {
	if s.live == 0 {
		return dst
	}
	dst = s.appendEach(p, dst, 0)
	return dst[:len(dst)-1]
}

// AppendLog implements [format.Fold].
func (s *Set) AppendLog(p *verbs.Pace, dst []byte) []byte {
	if s.untils.tokens > 0 {
		return s.appendLasting(p, dst)
	}
	return s.appendAdditions(p, dst)
}

// LogSize implements [format.Sized].
func (s *Set) LogSize() int { return s.length + s.live*len("+ ") + s.untils.logSize() }

// appendAdditions appends to dst a log that adds all members for ever.
func (s *Set) appendAdditions(p *verbs.Pace, dst []byte) []byte { return s.appendEach(p, dst, '+') }

// appendRemovals appends to dst a log that removes all members.
func (s *Set) appendRemovals(p *verbs.Pace, dst []byte) []byte { return s.appendEach(p, dst, '-') }

// appendEach appends each member to dst, preceded by sign if that is not 0, and
// followed by a space.
func (s *Set) appendEach(p *verbs.Pace, dst []byte, sign byte) []byte {
	n, size := len(dst), s.length+s.live
	if sign != 0 {
		size += s.live
	}
	dst = verbs.Grow(p, dst, size)[:n+size]
	write := s.writeSome
	if s.untils.tokens > 0 {
		write = s.writeLasting
	}
	p.Each(len(s.tokens), func(from, to int) { n = write(dst, n, sign, from, to) })
	return dst
}

// writeSome writes, if no token has an until, the members among the tokens from index first to index last to dst
// at n. It returns the index in dst after them.
func (s *Set) writeSome(dst []byte, n int, sign byte, first, last int) int {
	tokens := s.tokens[first:last]
	for i := range tokens {
		t := &tokens[i]
		if t.hash&dead != 0 {
			continue
		}
		if sign != 0 {
			dst[n] = sign
			n++
		}
		// Copying a whole window is faster than copying the exact length. What is
		// written next overwrites the excess.
		from, to := int(t.from), int(t.to)
		if to-from <= window && from+window <= len(s.log) && n+window <= len(dst) {
			*(*[window]byte)(dst[n : n+window]) = *(*[window]byte)(s.log[from : from+window])
		} else {
			copy(dst[n:], s.log[from:to])
		}
		n += to - from
		dst[n] = ' '
		n++
	}
	return n
}

// appendToken appends a token to dst.
func appendToken(dst []byte, sign byte, member []byte) []byte {
	return append(append(append(dst, sign), member...), ' ')
}

// AppendNet implements [format.Fold]: first it removes every member that the log removes
// anywhere, or adds until a time, then it adds the members in their order.
func (s *Set) AppendNet(p *verbs.Pace, dst []byte) []byte {
	dst = verbs.Grow(p, dst, len(s.log)+1) // each token written occurs in the log
	p.Each(len(s.tokens), func(from, to int) {
		for i := range s.tokens[from:to] {
			if t := &s.tokens[from+i]; t.hash&again == 0 && s.resets(t) {
				dst = appendToken(dst, '-', t.member(s.log))
			}
		}
	})
	return s.AppendLog(p, dst)
}

// fewPicked is the most members that pickFew is used for.
const fewPicked = 64

// pickFew is sample for few of many members: it tries tokens at random until it has
// enough. It returns false if it has not found enough after many tries.
func (s *Set) pickFew(n int, random func(int) int) (few []uint32, ok bool) {
	few = make([]uint32, 0, n)
	for range 64 * n {
		if len(few) == n {
			break
		}
		i := uint32(random(len(s.tokens)))
		if s.lives(&s.tokens[i]) && !slices.Contains(few, i) {
			few = append(few, i)
		}
	}
	return few, len(few) == n
}

// sample returns the indexes of at most n distinct tokens that name members, each
// member with equal probability. random returns a random number below its argument.
func (s *Set) sample(p *verbs.Pace, n int, random func(int) int) []uint32 {
	if 4*n <= s.live && len(s.tokens) <= 4*s.live && n <= fewPicked {
		if few, ok := s.pickFew(n, random); ok {
			return few
		}
	}
	all := verbs.Grow[uint32](p, nil, s.live)
	p.Each(len(s.tokens), func(from, to int) {
		for i := from; i < to; i++ {
			if s.lives(&s.tokens[i]) {
				all = append(all, uint32(i))
			}
		}
	})
	all = all[:len(all):len(all)]
	n = min(n, len(all))
	p.EachLookup(n, func(from, to int) {
		for i := from; i < to; i++ { // the first steps of a Fisher-Yates shuffle
			j := i + random(len(all)-i)
			all[i], all[j] = all[j], all[i]
		}
	})
	return all[:n]
}
