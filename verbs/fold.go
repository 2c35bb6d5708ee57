package verbs

import (
	"bytes"
	"math/bits"
)

// The table of a set finds, for each member that the log names, the token by
// which it is a member, or is none. It is open addressing with linear probing
// (Knuth, "The Art of Computer Programming", 6.4), at most half full. A slot is
// 0 while it is free; then its low bits are 1 + the index of the token, and the
// others the same bits of its hash. By these nearly all members are told apart
// without a look at the token and the log, which are far away if there are many.

// clearTable makes the table an empty one for the tokens. It takes the memory
// of an earlier one if there is enough, and clears no more of it than it needs.
func (s *Set) clearTable() {
	n := uint(len(s.tokens))
	size := 1 << bits.Len(2*n|15)
	if size > cap(s.table) {
		s.table = make([]uint32, size)
	}
	s.table = s.table[:size]
	clear(s.table)
	s.index = 1<<bits.Len(n|dead|again) - 1 // which leaves the flags out of the rest
}

// fold finds out which tokens are dead. So far it is those that remove.
func (s *Set) fold() {
	table, index := s.table, s.index
	mask := uint32(len(table) - 1)
	for i := range s.tokens {
		t := &s.tokens[i]
		slot := &table[t.hash>>flagBits&mask]
		if *slot != 0 { // by the same member, or another
			slot = s.find(t.hash, t.member(s.log))
			if *slot != 0 && !s.tokens[*slot&index-1].yields(t) {
				continue
			}
		}
		*slot = t.hash&^index | uint32(i+1)
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
