package rankings

import "github.com/memverbs/memverbs/verbs/structure/format"

// increment is an increment that expires, or several of one member that expire together.
type increment struct {
	n     int64
	until int64  // in seconds since 1970; negative of other parts of a history, see clamp.go
	of    uint32 // index of its entry, or nobody
	next  uint32 // 1 + the index of an earlier one of the same entry, or 0
	mate  uint32 // 1 + the index of another one that expires at that time, or 0
	mates uint32 // how many follow in the list of mates, if this one is in an expiryHeap
}

const incrementSize = 32 // in bytes

// nobody is the entry of an increment whose entry was removed or set.
const nobody = 1<<32 - 1

// expiryHeap is a priority queue of the indexes of increments, the next to expire first. One increment
// can represent several that expire together. It is a binary heap: each expires no sooner than the one
// at half its place.
type expiryHeap []uint32

// never is the result of next for an empty heap.
const never = 2 * format.LatestUntil

// next returns when the next expires, in seconds since 1970.
func (q expiryHeap) next(all []increment) int64 {
	if len(q) == 0 {
		return never
	}
	return all[q[0]].until
}

// push adds increment k.
func (q *expiryHeap) push(all []increment, k uint32) {
	*q = append(*q, k)
	h := *q
	for i := len(h) - 1; i > 0; {
		parent := (i - 1) / 2
		if all[h[parent]].until <= all[h[i]].until {
			return
		}
		h[i], h[parent] = h[parent], h[i]
		i = parent
	}
}

// pop takes the next out.
func (q *expiryHeap) pop(all []increment) uint32 {
	h := *q
	first, last := h[0], len(h)-1
	h[0], h = h[last], h[:last]
	*q = h
	for i := 0; 2*i+1 < last; {
		child := 2*i + 1
		if child+1 < last && all[h[child+1]].until < all[h[child]].until {
			child++
		}
		if all[h[i]].until <= all[h[child]].until {
			break
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
	return first
}
