package rankings

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// What an entry has in r.increments, one after another: its increments that expire, or its history.

// The until of a part of a history that is no increment.
const (
	always = -1 // a part of the score that never expires
	floor  = -2 // the score is raised to n
	roof   = -3 // the score is lowered to n
)

// kindOf returns the kind of a token's sign.
func kindOf(sign byte) int64 {
	if sign == signRaise {
		return floor
	}
	return roof
}

// clamped returns a score after a token of zmax or zmin.
func clamped(score int64, exists bool, n, kind int64) int64 {
	switch {
	case !exists:
		return n
	case kind == floor:
		return max(score, n)
	default:
		return min(score, n)
	}
}

// addends is how many of a member's last increments are compared with a new one. Usually the
// new one expires together with one of these; if not, they are added up when the log is
// written.
const addends = 8

// expired reports whether the increment does not count any more.
func (r *Ranking) expired(until int64) bool { return format.ExpiredAt(until) <= r.now }

// outlived reports whether the increment has expired for everybody.
func (r *Ranking) outlived(until int64) bool { return format.OutlivedAt(until) <= r.now }

// newIncrement returns the index of a new increment, or of a part of a history.
func (r *Ranking) newIncrement(of increment) (k uint32) {
	if len(r.increments) == cap(r.increments) {
		r.increments = verbs.Grow(r.pace, r.increments, 1+len(r.increments)/4)
	}
	r.increments = append(r.increments, of)
	return uint32(len(r.increments) - 1)
}

// link adds increment k to those of entry i, or to its history.
func (r *Ranking) link(i, k uint32) {
	e := &r.entries[i]
	if e.hash&chained != 0 && (e.last == 0 || r.increments[k].until < 0 || r.increments[e.last-1].until < 0) {
		e.counting++ // increments one after another are written as one token
	}
	r.increments[k].next, e.last = e.last, k+1
	e.kept++
}

// base returns the part of a score that never expires.
func (r *Ranking) base(e *entry) int64 {
	base := e.score
	for k := e.last; k != 0; k = r.increments[k-1].next {
		if of := &r.increments[k-1]; !r.expired(of.until) {
			base -= of.n
		}
	}
	return base
}
