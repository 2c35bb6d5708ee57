package rankings

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
)

// Most calls that read a ranking want its best members, or its worst. So once these were sorted, up
// to some thousand at either end, they are kept in order until the fold is emptied. When a score
// changes, keeping the order takes a binary search; for a member whose score is far from both ends
// it takes a single comparison.

// shortEnd is how many members an end begins with, and longEnd how many it may have at most.
const (
	shortEnd = 2 << 10
	longEnd  = 2 * shortEnd
)

// compare compares entries by score, and then by member.
func (r *Ranking) compare(a, b uint32) int {
	x, y := &r.entries[a], &r.entries[b]
	if by := cmp.Compare(x.score, y.score); by != 0 {
		return by
	}
	return bytes.Compare(x.member(r.log), y.member(r.log))
}

// place returns how many of the end's members come before entry i.
func (d *end) place(r *Ranking, i uint32) int {
	return sort.Search(len(d.members), func(at int) bool {
		by := r.compare(d.members[at], i)
		return by >= 0 && !d.highest || by <= 0 && d.highest
	})
}

// remove removes the member i, whose score is about to change.
func (d *end) remove(r *Ranking, i uint32) {
	if len(d.members) == 0 {
		return
	}
	if at := d.place(r, i); at < len(d.members) { // otherwise it comes after all of these
		d.members = slices.Delete(d.members, at, at+1)
	}
}

// insert adds the member i if it belongs to the end.
func (d *end) insert(r *Ranking, i uint32) {
	if len(d.members) == 0 && !d.all {
		return
	}
	at := d.place(r, i)
	if at == len(d.members) && !d.all {
		return
	}
	if d.members = slices.Insert(d.members, at, i); len(d.members) > longEnd {
		d.members, d.all = d.members[:shortEnd], false
	}
}

// passing returns how many members of the ranking are on this end's side of a cut, and false if the end is
// too short to tell.
func (d *end) passing(r *Ranking, c *cut) (n int, ok bool) {
	n = sort.Search(len(d.members), func(at int) bool { return c.passes(r, d.members[at]) == d.highest })
	return n, n < len(d.members) || d.all
}

// take sets the end from its members, the outermost first. It does not reuse the memory of the old
// end, which other calls may be reading.
func (d *end) take(r *Ranking, members []ranked, highest bool) {
	d.highest, d.all = highest, len(members) == r.live
	d.members = make([]uint32, len(members), min(2*len(members), longEnd+1))
	for i := range members {
		d.members[i] = members[i].of
	}
}
