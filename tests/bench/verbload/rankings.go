//go:build linux

package verbload

import (
	"cmp"
	"fmt"
	"slices"
)

// Rankings are the rankings of a load. Keys and Members must be at least 1. Whatever is added to
// scores during a load, they keep their ten digits.
type Rankings struct {
	Keys    int // how many rankings there are
	Members int // how many members each has
}

// Key returns the name of a ranking.
func (r Rankings) Key(i int) string { return fmt.Sprintf("ranking:%07d", i) }

// Member returns a member, of 10 bytes.
func (r Rankings) Member(i int) string { return fmt.Sprintf("m%09d", i) }

// Score returns the score that a member has in the beginning. It differs from that of all
// others, and says nothing about the order in which members were added.
func (r Rankings) Score(i int) int { return lowest + i*7919%r.Members }

// changes is how many different scores a load sets each member to, so that nearly every request changes a score.
const changes = 8

// lowest is the lowest score in the beginning. The others follow it without a gap.
const lowest = 1_000_000_000

// change returns the i-th change of a score: a member, and the score to set. There are
// several changes for each member, to scores that other members have in the beginning.
func (r Rankings) change(i int) (score int, member string) {
	const apart = 37 // places between the scores of one member
	member = r.Member(i % r.Members)
	return r.Score((i%r.Members + i/r.Members*apart) % r.Members), member
}

// best returns the n members with the highest scores.
func (r Rankings) best(n int) []int {
	members := make([]int, r.Members)
	for i := range members {
		members[i] = i
	}
	slices.SortFunc(members, func(a, b int) int { return cmp.Compare(r.Score(b), r.Score(a)) })
	return members[:n]
}

// inOrder returns all members, those with the lowest scores first.
func (r Rankings) inOrder() []int {
	members := make([]int, r.Members)
	for i := range members {
		members[r.Score(i)-lowest] = i
	}
	return members
}

// pair returns the word that sets the score of a member to what it is in the beginning, and
// the member.
func (r Rankings) pair(i int) string { return fmt.Sprintf("%d %s", r.Score(i), r.Member(i)) }
