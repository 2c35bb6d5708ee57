package rankings

import (
	"slices"

	"github.com/memverbs/memverbs/verbs"
)

// Members are found by their place in the ranking, which is counted from 0 at the end with the
// lowest scores, or with the highest.

// ends returns the end from which places are counted, and the other one.
func (r *Ranking) ends(highest bool) (near, far *end) {
	if highest {
		return &r.highest, &r.lowest
	}
	return &r.lowest, &r.highest
}

// inReach reports whether no members have to be sorted to find those from place from up to place to.
func (r *Ranking) inReach(from, to int, highest bool) bool {
	near, far := r.ends(highest)
	return from == to || r.inOrder != nil || to <= len(near.members) || r.live-from <= len(far.members)
}

// reach returns the indexes of the entries from place from up to place to, and false if members
// have to be sorted to find these.
func (r *Ranking) reach(from, to int, highest bool) (members []uint32, ok bool) {
	near, far := r.ends(highest)
	switch {
	case from == to:
		return nil, true
	case r.inOrder != nil && highest:
		members = slices.Clone(r.inOrder.members(r.live-to, r.live-from, r.live))
		slices.Reverse(members)
		return members, true
	case r.inOrder != nil:
		return r.inOrder.members(from, to, r.live), true
	case to <= len(near.members):
		return near.members[from:to], true
	case !r.inReach(from, to, highest):
		return nil, false
	}
	members = slices.Clone(far.members[r.live-to : r.live-from])
	slices.Reverse(members)
	return members, true
}

// places returns the indexes of the entries from place from up to place to. It keeps those at
// the ends in order from then on.
func (r *Ranking) places(p *verbs.Pace, from, to int, highest bool) []uint32 {
	members, ok := r.reach(from, to, highest)
	if ok {
		return members
	}
	s := sorter{Ranking: r, pace: r.paceFor(p), highest: highest}
	all := s.members()
	near, far := r.ends(highest)
	sorted := [2]int{from, to}
	if from <= shortEnd {
		sorted[0], sorted[1] = 0, max(to, min(shortEnd, len(all)))
	}
	if len(all)-to <= shortEnd {
		sorted[0], sorted[1] = min(sorted[0], max(len(all)-shortEnd, 0)), len(all)
	}
	s.sort(all, sorted[0], sorted[1])
	if sorted[0] == 0 {
		near.take(r, all[:min(shortEnd, sorted[1])], highest)
	}
	if last := all[max(len(all)-shortEnd, sorted[0]):]; sorted[1] == len(all) {
		last = slices.Clone(last)
		slices.Reverse(last)
		far.take(r, last, !highest)
	}
	members = verbs.Grow[uint32](s.pace, nil, to-from)
	s.pace.Each(to-from, func(some, end int) {
		for _, m := range all[from+some : from+end] {
			members = append(members, m.of)
		}
	})
	return members
}

// rank returns the place of the member i.
func (r *Ranking) rank(p *verbs.Pace, i uint32, highest bool) int {
	before := r.countBefore(p, r.cutBefore(i))
	if highest {
		return r.live - 1 - before
	}
	return before
}

// glance returns how many members come before a cut, and false if too few members are in order to tell.
func (r *Ranking) glance(c cut) (n int, ok bool) {
	if r.inOrder != nil {
		return r.inOrder.place(r, &c), true
	}
	if n, ok := r.lowest.passing(r, &c); ok {
		return n, true
	}
	n, ok = r.highest.passing(r, &c)
	return r.live - n, ok
}

// before returns how many members come before a cut. If briefly is set, it does not count members, and returns false if too
// few are in order to tell.
func (r *Ranking) before(p *verbs.Pace, c cut, briefly bool) (n int, sure bool) {
	if briefly {
		return r.glance(c)
	}
	return r.countBefore(p, c), true
}

// countBefore returns how many members come before a cut. It looks at all of them if it has to.
func (r *Ranking) countBefore(p *verbs.Pace, c cut) (before int) {
	if n, ok := r.glance(c); ok {
		return n
	}
	r.paceFor(p).Each(len(r.entries), func(from, to int) {
		for i := from; i < to; i++ {
			if r.entries[i].isMember() && c.passes(r, uint32(i)) {
				before++
			}
		}
	})
	return before
}
