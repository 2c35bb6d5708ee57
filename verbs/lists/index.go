package lists

import (
	"bytes"

	"github.com/memverbs/memverbs/verbs"
)

// Removals name a value, so the elements are found by their values, those with data by their ids. All live elements with the same
// value form a circle, in the order of the list: next is the element to the right, and after the
// last one the first. A hash table with linear probing, at most half full, has the first element of
// each circle. Its slots are 1 + the index of a token, or 0. The slot of a value without elements
// keeps one that was removed, since searches for other values may have passed it.

// find returns the slot of the value of t, or the free slot where it belongs.
func (l *List) find(t *token) *uint32 {
	return verbs.SlotIn(l.table, t.hash>>hashShift, func(slot uint32) bool { return l.tokens[slot-1].sameName(t, l.log) })
}

// sameName reports whether t and other are about elements that removals don't tell apart.
func (t *token) sameName(other *token, log []byte) bool {
	return (t.hash^other.hash)>>1 == 0 && bytes.Equal(t.name(log), other.name(log))
}

// insert adds element i to the circle of slot: as the first of its value, or as the last.
func (l *List) insert(slot *uint32, i uint32, first bool) {
	t := &l.tokens[i]
	if *slot == 0 || !l.tokens[*slot-1].live() {
		t.next, t.previous = i, i
		*slot = i + 1
		return
	}
	right := *slot - 1
	left := l.tokens[right].previous
	t.next, t.previous = right, left
	l.tokens[right].previous, l.tokens[left].next = i, i
	if first {
		*slot = i + 1
	}
}

// remove removes element i from the list and from the circle of slot.
func (l *List) remove(slot *uint32, i uint32) {
	t := &l.tokens[i]
	t.hash |= dead
	l.length -= int(t.to - t.from)
	l.data -= int(t.hash & ofData / ofData)
	l.side(t).live--
	l.tokens[t.next].previous, l.tokens[t.previous].next = t.previous, t.next
	if *slot == i+1 && t.next != i {
		*slot = t.next + 1
	}
}
