package rankings

import (
	"slices"
	"sort"

	"github.com/memverbs/memverbs/verbs"
)

// Lengths of a chunk.
const (
	usualChunk   = 512
	longestChunk = 2 * usualChunk
)

// mostMoved is how many changes of scores one extension of the log may make to the order, which takes
// about a slice. If there are more, the order is dropped.
const mostMoved = 512

// orderedSize is how much memory a member in order takes at most, in bytes.
const orderedSize = 2 * 4

// arrange makes the order of all members, if it has been wanted before.
func (r *Ranking) arrange(p *verbs.Pace) {
	if r.wanted++; r.wanted < 2 || r.inOrder != nil {
		return
	}
	s := sorter{Ranking: r, pace: r.paceFor(p)}
	all := s.members()
	s.sort(all, 0, len(all))
	o := &inOrder{chunks: make([][]uint32, 0, len(all)/usualChunk+1)}
	s.pace.Each(len(all), func(from, to int) {
		for _, m := range all[from:to] {
			if last := len(o.chunks) - 1; last >= 0 && len(o.chunks[last]) < usualChunk {
				o.chunks[last] = append(o.chunks[last], m.of)
			} else {
				o.chunks = append(o.chunks, append(make([]uint32, 0, usualChunk), m.of))
			}
		}
	})
	r.inOrder, r.lowest, r.highest = o, end{}, end{}
}

// arranging returns how much memory arrange would take, in bytes.
func (r *Ranking) arranging() int {
	if r.wanted == 0 || r.inOrder != nil {
		return 0
	}
	return (rankedSize + orderedSize) * r.live
}

// disarrange drops the order.
func (r *Ranking) disarrange() { r.inOrder, r.wanted = nil, 0 }

// find returns the chunk that a cut is in or behind, and the index of the first member in it that comes
// after the cut.
func (o *inOrder) find(r *Ranking, c *cut) (chunk, at int) {
	chunk = max(sort.Search(len(o.chunks), func(k int) bool { return !c.passes(r, o.chunks[k][0]) })-1, 0)
	if chunk < len(o.chunks) {
		members := o.chunks[chunk]
		at = sort.Search(len(members), func(k int) bool { return !c.passes(r, members[k]) })
	}
	return chunk, at
}

// place returns how many members come before a cut.
func (o *inOrder) place(r *Ranking, c *cut) int {
	chunk, n := o.find(r, c)
	for _, members := range o.chunks[:chunk] {
		n += len(members)
	}
	return n
}

// remove removes the member i, whose score is about to change.
func (o *inOrder) remove(r *Ranking, i uint32) {
	c := r.cutBefore(i)
	chunk, at := o.find(r, &c)
	if at == len(o.chunks[chunk]) { // it is the first of the next
		chunk, at = chunk+1, 0
	}
	if o.chunks[chunk] = slices.Delete(o.chunks[chunk], at, at+1); len(o.chunks[chunk]) == 0 {
		o.chunks = slices.Delete(o.chunks, chunk, chunk+1)
	}
}

// insert adds the member i.
func (o *inOrder) insert(r *Ranking, i uint32) {
	if len(o.chunks) == 0 {
		o.chunks = append(o.chunks, []uint32{i})
		return
	}
	c := r.cutBefore(i)
	chunk, at := o.find(r, &c)
	members := slices.Insert(o.chunks[chunk], at, i)
	if o.chunks[chunk] = members; len(members) > longestChunk {
		o.chunks[chunk] = members[:usualChunk:usualChunk]
		o.chunks = slices.Insert(o.chunks, chunk+1, slices.Clone(members[usualChunk:]))
	}
}

// members returns the members from place from up to place to, counted from the lowest, of so many. The caller
// must not change them.
func (o *inOrder) members(from, to, all int) (some []uint32) {
	n := to - from
	first, from := o.at(from, all)
	for _, members := range o.chunks[first:] {
		if n <= len(members)-from && some == nil {
			return members[from : from+n]
		}
		if some == nil {
			some = make([]uint32, 0, n)
		}
		some = append(some, members[from:min(from+n-len(some), len(members))]...)
		if from = 0; len(some) == n {
			break
		}
	}
	return some
}

// at returns the chunk that a place is in, and which of its members has the place. It counts from the nearer end.
func (o *inOrder) at(place, all int) (chunk, in int) {
	if place <= all/2 {
		for ; place >= len(o.chunks[chunk]); chunk++ {
			place -= len(o.chunks[chunk])
		}
		return chunk, place
	}
	left := all - place
	for chunk = len(o.chunks) - 1; left > len(o.chunks[chunk]); chunk-- {
		left -= len(o.chunks[chunk])
	}
	return chunk, len(o.chunks[chunk]) - left
}

// kept returns how much memory the order has, in bytes.
func (o *inOrder) kept() (bytes int) {
	if o == nil {
		return 0
	}
	for _, members := range o.chunks {
		bytes += 4 * cap(members)
	}
	return bytes + 24*cap(o.chunks)
}
