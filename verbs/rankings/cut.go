package rankings

import (
	"bytes"
	"cmp"
)

// cut is a place between two members: those with a lower score come before it, those with a higher
// score after it.
type cut struct {
	score  int64
	member []byte // of those with this score, the members with lesser names come before it
	after  bool   // all members with this score come before it
}

// passes reports whether entry i comes before the cut.
func (c *cut) passes(r *Ranking, i uint32) bool {
	e := &r.entries[i]
	if by := cmp.Compare(e.score, c.score); by != 0 {
		return by < 0
	}
	return c.after || bytes.Compare(e.member(r.log), c.member) < 0
}

// cutBefore returns the cut before entry i.
func (r *Ranking) cutBefore(i uint32) cut {
	e := &r.entries[i]
	return cut{score: e.score, member: e.member(r.log)}
}
