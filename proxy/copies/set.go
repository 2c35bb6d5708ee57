package copies

import (
	"iter"
	"math/bits"
)

// Most is how many copies of a key there may be.
const Most = 8

// Set is a set of copies of a key, by their place in the configured order.
type Set uint8

// With returns s with a copy added.
func (s Set) With(copy int) Set { return s | 1<<copy }

// Without returns s without a copy.
func (s Set) Without(copy int) Set { return s &^ (1 << copy) }

// First returns the first copy of s, -1 if s is empty.
func (s Set) First() int { return s.After(-1) }

// After returns the first copy of s behind another one, -1 if there is none.
func (s Set) After(copy int) int {
	rest := s >> (copy + 1)
	if rest == 0 {
		return -1
	}
	return copy + 1 + bits.TrailingZeros8(uint8(rest))
}

// All yields the copies of s in their order.
func (s Set) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for copy := s.First(); copy >= 0 && yield(copy); copy = s.After(copy) {
		}
	}
}

// allOf returns the set of n copies.
func allOf(n int) Set { return Set(1<<n - 1) }
