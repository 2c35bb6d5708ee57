package sets

import (
	"bytes"
	"math/bits"

	"github.com/memverbs/memverbs/verbs"
)

// The table of a set maps each member that the log names to the token that decides whether it is in
// the set: the last token that has added or removed it. The table is a hash table with linear
// probing (Knuth, "The Art of Computer Programming", 6.4), at most half full. A free slot is 0. The
// low bits of a used slot are 1 + the index of the token, and its other bits are those bits of the
// hash. They distinguish nearly all members without an access to the token or the log, which would
// be a cache miss in large sets.

// clearTable sets an empty table that is large enough for the tokens.
func (s *Set) clearTable(p *verbs.Pace) {
	s.table = verbs.ClearTable(p, s.table, len(s.tokens))
	s.index = 1<<bits.Len(uint(len(s.tokens))|flags) - 1 // so the bits of the hash in a slot exclude the flags
}

// fold adds the tokens from index from to index to to the table and flags those that are dead.
// Before, only removals are flagged.
func (s *Set) fold(from, to int) {
	table, index := s.table, s.index
	mask := uint32(len(table) - 1)
	tokens := s.tokens[from:to]
	for i := range tokens {
		t := &tokens[i]
		slot := &table[t.hash>>flagBits&mask]
		if *slot != 0 { // the slot has the same member, or another one
			slot = s.find(t.hash, t.member(s.log))
			if *slot != 0 && !s.tokens[*slot&index-1].yields(t) {
				continue
			}
		}
		*slot = t.hash&^index | uint32(from+i+1)
	}
}

// yields reports whether t replaces before as the token that decides whether their
// common member is in the set. It sets the flags of both. A token with an until replaces every other
// one, and every other one replaces it: whether it has expired when the next one comes depends on
// nothing that the log has.
func (before *token) yields(t *token) bool {
	if before.hash&flags != 0 {
		t.hash |= again
	}
	if (before.hash^t.hash)&dead|(before.hash|t.hash)&timed == 0 { // t says nothing new
		t.hash |= dead
		return false
	}
	before.hash = before.hash&^timed | dead
	return true
}

// find returns the slot of member, or the free slot where it belongs.
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
