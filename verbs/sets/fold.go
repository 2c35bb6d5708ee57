package sets

import (
	"bytes"
	"math/bits"

	"github.com/memverbs/memverbs/verbs"
)

// The table of a set finds, for each member that the log names, the token by
// which it is a member, or is none. It is open addressing with linear probing
// (Knuth, "The Art of Computer Programming", 6.4), at most half full. A slot is
// 0 while it is free; then its low bits are 1 + the index of the token, and the
// others the same bits of its hash. By these nearly all members are told apart
// without a look at the token and the log, which are far away if there are many.

// clearTable makes the table an empty one for the tokens. It takes the memory
// of an earlier one if there is enough, and clears no more of it than it needs.
func (s *Set) clearTable(p *verbs.Pace) {
	n := uint(len(s.tokens))
	size := tableSize(len(s.tokens))
	if size > cap(s.table) {
		p.Provide(4*size, func() { s.table = verbs.Fresh[uint32](size) })
	} else {
		s.table = s.table[:size]
		p.InSteps(size, verbs.MuchMemory, func(from, to int) { clear(s.table[from:to]) })
	}
	s.index = 1<<bits.Len(n|dead|again) - 1 // which leaves the flags out of the rest
}

// tableSize returns how many slots the table for so many tokens has.
func tableSize(tokens int) int { return 1 << bits.Len(2*uint(tokens)|15) }

// fold finds out which tokens are dead, as far as those from one to another tell.
// So far it is those that remove.
func (s *Set) fold(from, to int) {
	table, index := s.table, s.index
	mask := uint32(len(table) - 1)
	tokens := s.tokens[from:to]
	for i := range tokens {
		t := &tokens[i]
		slot := &table[t.hash>>flagBits&mask]
		if *slot != 0 { // by the same member, or another
			slot = s.find(t.hash, t.member(s.log))
			if *slot != 0 && !s.tokens[*slot&index-1].yields(t) {
				continue
			}
		}
		*slot = t.hash&^index | uint32(from+i+1)
	}
}

// yields reports whether t, and no longer before, is the token by which their
// member is one, or is none. It sets their flags.
func (before *token) yields(t *token) bool {
	if before.hash&(dead|again) != 0 {
		t.hash |= again
	}
	if (before.hash^t.hash)&dead == 0 { // t says nothing new
		t.hash |= dead
		return false
	}
	before.hash |= dead
	return true
}

// find returns the slot of member, or the free one where it belongs.
func (s *Set) find(hash uint32, member []byte) *uint32 {
	mask := uint32(len(s.table) - 1)
	for at := hash >> flagBits; ; at++ {
		slot := &s.table[at&mask]
		if *slot == 0 {
			return slot
		}
		if (*slot^hash)&^s.index == 0 && bytes.Equal(s.tokens[*slot&s.index-1].member(s.log), member) {
			return slot
		}
	}
}
