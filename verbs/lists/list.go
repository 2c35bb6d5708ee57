package lists

import "github.com/memverbs/memverbs/verbs/structure/format"

// List is the fold of a list's log: its elements after all tokens in order. It points into
// the log and keeps no copy of it. The zero value is an empty list, and a List can be
// reused for one log after another.
//
// An element is the token that has pushed it. The elements in order are those pushed at the
// left, newest first, and then those pushed at the right, oldest first.
type List struct {
	log         []byte
	tokens      []token
	left, right side
	length      int                     // total length of the elements in the log, in bytes
	data        int                     // elements with data
	foreign     int                     // tokens of other kinds
	letters     int                     // letters alone
	removed     format.Results[removed] // by orders
	noted       int                     // tokens that appendRemoved writes, if none has expired
	now         int64                   // the time when the log was read, in milliseconds, for [format.OrderID.Expired]

	table []uint32 // see index.go
}

// side is the elements that were pushed at one side.
type side struct {
	pushed []uint32 // indexes of their tokens, oldest first
	first  int      // all elements before pushed[first] were removed, and perhaps some after it
	live   int      // how many were not removed
}

// removed is what the orders with an id have removed.
type removed struct {
	first, last uint32 // 1 + the index of a token, or 0; token.next leads from the first to the last
	n           int
}

// removedSize is how much memory a result takes, in bytes.
const removedSize = 64

// Live implements [format.Fold]. It returns the number of elements.
func (l *List) Live() int { return l.left.live + l.right.live }

// side returns the side at which the element t was pushed.
func (l *List) side(t *token) *side {
	if t.sign(l.log) == pushLeft {
		return &l.left
	}
	return &l.right
}
