package rankings

import (
	"bytes"
	"cmp"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/memverbs/memverbs/verbs"
)

// ranked is a member to be sorted. It contains the score, so that most comparisons need not access
// the entry.
type ranked struct {
	score int64
	of    uint32 // index of the entry
}

const rankedSize = 16 // in bytes

// sorter sorts members, with pauses for other clients.
type sorter struct {
	*Ranking
	pace    *verbs.Pace
	highest bool // those with the highest scores come first
}

func (s *sorter) compare(a, b ranked) int {
	by := cmp.Compare(a.score, b.score)
	if by == 0 {
		by = bytes.Compare(s.entries[a.of].member(s.log), s.entries[b.of].member(s.log))
	}
	if s.highest {
		return -by
	}
	return by
}

// members returns all members, in no order.
func (s *sorter) members() []ranked {
	all := verbs.Grow[ranked](s.pace, nil, s.live)
	s.pace.Each(len(s.entries), func(from, to int) {
		for i := from; i < to; i++ {
			if e := &s.entries[i]; e.isMember() {
				all = append(all, ranked{e.score, uint32(i)})
			}
		}
	})
	return all
}

// atOnce is how many members are sorted without a pause.
const atOnce = 1 << 10

// sort moves members so that those from index from to index to are the same as if all were sorted.
// It is a quicksort (Hoare) that sorts only the parts that are asked for.
func (s *sorter) sort(all []ranked, from, to int) {
	s.sortPart(all, from, to, 2*bits.Len(uint(len(all))))
}

// sortPart is sort for a part of the members. After too many bad divisions it uses another
// algorithm.
func (s *sorter) sortPart(part []ranked, from, to, depth int) {
	for ; len(part) > atOnce && depth > 0; depth-- {
		n := s.divide(part)
		if from < n {
			s.sortPart(part[:n], from, min(to, n), depth-1)
		}
		if to <= n {
			return
		}
		part, from, to = part[n:], max(from-n, 0), to-n
	}
	s.pace.Rest(len(part))
	slices.SortFunc(part, s.compare)
}

// divide moves members so that the first n come before all others. n is neither 0 nor all.
func (s *sorter) divide(part []ranked) (n int) {
	last := len(part) - 1
	middle := s.middle(part)
	part[middle], part[last] = part[last], part[middle]
	pivot := part[last]
	s.pace.Rest(len(part))
	s.pace.Each(last, func(from, to int) {
		for i := from; i < to; i++ {
			if s.compare(part[i], pivot) < 0 {
				part[i], part[n] = part[n], part[i]
				n++
			}
		}
	})
	part[n], part[last] = part[last], part[n]
	return max(n, 1)
}

// middle returns the index of a member that is probably near the median. It looks at random places:
// clients choose the order of members, and could otherwise make every division a bad one (McIlroy,
// "A Killer Adversary for Quicksort").
func (s *sorter) middle(part []ranked) int {
	var some [9]int
	for i := range some {
		some[i] = rand.IntN(len(part))
	}
	slices.SortFunc(some[:], func(a, b int) int { return s.compare(part[a], part[b]) })
	return some[len(some)/2]
}

// paceFor returns p if work on all members has to be divided, else nil. A short log may be in the
// reply buffer, which a pause would invalidate.
func (r *Ranking) paceFor(p *verbs.Pace) *verbs.Pace {
	if p == nil || len(r.entries) <= p.Slice {
		return nil
	}
	return p
}
