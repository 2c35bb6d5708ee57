package rankings

import (
	"slices"

	"github.com/memverbs/memverbs/verbs"
)

// Members are found by their place in the ranking, which is counted from 0 at the end with the
// lowest scores, or with the highest.

// paceFor returns p if work on all members has to be divided, else nil. A short log may be in the
// reply buffer, which a pause would invalidate.
func (r *Ranking) paceFor(p *verbs.Pace) *verbs.Pace {
	if p == nil || len(r.entries) <= p.Slice {
		return nil
	}
	return p
}

// ends returns the end from which places are counted, and the other one.
func (r *Ranking) ends(highest bool) (near, far *end) {
	if highest {
		return &r.highest, &r.lowest
	}
	return &r.lowest, &r.highest
}

// reach returns the indexes of the entries from place from up to place to, and false if members
// have to be sorted to find these.
func (r *Ranking) reach(from, to int, highest bool) (members []uint32, ok bool) {
	near, far := r.ends(highest)
	switch {
	case from == to:
		return nil, true
	case to <= len(near.members):
		return near.members[from:to], true
	case r.live-from > len(far.members):
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
	near, far := r.ends(highest)
	if n, ok := near.rank(r, i); ok {
		return n
	}
	if n, ok := far.rank(r, i); ok {
		return r.live - 1 - n
	}
	before := 0
	r.paceFor(p).Each(len(r.entries), func(from, to int) {
		for j := from; j < to; j++ {
			if r.entries[j].isMember() && r.compare(uint32(j), i) < 0 {
				before++
			}
		}
	})
	if highest {
		return r.live - 1 - before
	}
	return before
}
