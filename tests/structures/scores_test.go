package structures

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ranking is what a key may hold: nothing, or members, which are those of the names that have a
// score.
type ranking struct {
	is     bool
	scores [6]score // in the order of names
}

// score is the score of a name, if that is a member.
type score struct {
	is bool
	n  int
}

// noRanking is the answer of a range of nothing.
const noRanking = "absent"

func (r ranking) String() string {
	if !r.is {
		return noRanking
	}
	return r.text(r.ordered())
}

// of returns the score of a name.
func (r *ranking) of(name string) *score { return &r.scores[slices.Index(names, name)] }

// ordered returns the members, the lowest scores first.
func (r ranking) ordered() (members []string) {
	for _, name := range names {
		if r.of(name).is {
			members = append(members, name)
		}
	}
	slices.SortStableFunc(members, func(a, b string) int { return cmp.Compare(r.of(a).n, r.of(b).n) })
	return members
}

// text returns members with their scores, behind a bracket.
func (r ranking) text(members []string) string {
	text := "["
	for _, name := range members {
		text += fmt.Sprint(name, r.of(name).n)
	}
	return text
}

// each lets change change the score of each name of a, by the number before it, or by 1 if names
// are all that a has.
func (r *ranking) each(a action, change func(name string, n int)) {
	n := 1
	for _, word := range a.words {
		if slices.Contains(names, word) {
			change(word, n)
		} else {
			n = number(word)
		}
	}
}

// blind returns what is left of a ranking after changes that are not answered by scores and
// create it.
func (r ranking) blind(a action, answer string, change func(s *score, n int)) []ranking {
	r.is = true
	r.each(a, func(name string, n int) {
		s := r.of(name)
		change(s, n)
		s.is = true
	})
	return answers(answer, "STORED", r)
}

func stepScoreSet(r ranking, a action, answer string) []ranking {
	return r.blind(a, answer, func(s *score, n int) { s.n = n })
}

func stepScoreSubtract(r ranking, a action, answer string) []ranking {
	return r.blind(a, answer, func(s *score, n int) { s.n -= n })
}

func stepScoreRaise(r ranking, a action, answer string) []ranking {
	return r.blind(a, answer, func(s *score, n int) {
		if !s.is || s.n < n {
			s.n = n
		}
	})
}

func stepScoreLower(r ranking, a action, answer string) []ranking {
	return r.blind(a, answer, func(s *score, n int) {
		if !s.is || s.n > n {
			s.n = n
		}
	})
}

// between returns the members whose scores are between the bounds of a.
func (r ranking) between(a action) (members []string) {
	for _, name := range r.ordered() {
		n := r.of(name).n
		if (a.words[0] == "-" || n >= number(a.words[0])) && (a.words[1] == "+" || n <= number(a.words[1])) {
			members = append(members, name)
		}
	}
	return members
}

func stepBetween(r ranking, a action, answer string) []ranking {
	if !r.is {
		return answers(answer, noRanking, r)
	}
	return r.told(answer, r.text(r.between(a)))
}

func stepBetweenFromTop(r ranking, a action, answer string) []ranking {
	if !r.is {
		return answers(answer, noRanking, r)
	}
	return r.told(answer, r.text(reversed(r.between(action{words: []string{a.words[1], a.words[0]}}))))
}

func stepAround(r ranking, a action, answer string) []ranking {
	return r.around(a, answer, r.ordered())
}

func stepAroundFromTop(r ranking, a action, answer string) []ranking {
	return r.around(a, answer, reversed(r.ordered()))
}

// around tells the neighbours of a member among members.
func (r ranking) around(a action, answer string, members []string) []ranking {
	place, n := slices.Index(members, a.words[0]), number(a.words[1])
	if place < 0 {
		return r.told(answer, "NOT_FOUND")
	}
	return r.told(answer, r.text(members[max(place-n, 0):min(place+n+1, len(members))]))
}

func stepCount(r ranking, a action, answer string) []ranking {
	return r.told(answer, strconv.Itoa(len(r.between(a))))
}

func stepPopLowest(r ranking, a action, answer string) []ranking {
	return r.pop(a, answer, r.ordered())
}

func stepPopHighest(r ranking, a action, answer string) []ranking {
	return r.pop(a, answer, reversed(r.ordered()))
}

// pop returns what is left of a ranking after the first of members were popped.
func (r ranking) pop(a action, answer string, members []string) []ranking {
	if !r.is {
		return answers(answer, noRanking, r)
	}
	count := 1
	if len(a.words) > 0 {
		count = number(a.words[0])
	}
	members = members[:min(count, len(members))]
	text := r.text(members)
	return answers(answer, text, r.without(members))
}

func (r ranking) without(members []string) ranking {
	for _, name := range members {
		*r.of(name) = score{}
	}
	return r
}

func stepScoreTrim(r ranking, a action, answer string) []ranking {
	if !r.is {
		return answers(answer, "NOT_FOUND", r)
	}
	members, keep := r.ordered(), number(a.words[0])
	if keep < 0 {
		members, keep = reversed(members), -keep
	}
	return answers(answer, "STORED", r.without(members[:max(len(members)-keep, 0)]))
}

func stepScoreUp(r ranking, a action, answer string) []ranking {
	return r.blind(a, answer, func(s *score, n int) { s.n += n })
}

func stepScoreDown(r ranking, a action, answer string) []ranking {
	return r.blind(a, answer, func(s *score, n int) { s.n -= n })
}

func stepScoreRemove(r ranking, a action, answer string) []ranking {
	if !r.is {
		return answers(answer, "NOT_FOUND", r)
	}
	r.each(a, func(name string, _ int) { *r.of(name) = score{} })
	return answers(answer, "STORED", r)
}

func stepScoreAdd(r ranking, a action, answer string) []ranking {
	r.is = true
	var sums []string
	r.each(a, func(name string, n int) {
		s := r.of(name)
		s.is, s.n = true, s.n+n
		sums = append(sums, strconv.Itoa(s.n))
	})
	return answers(answer, strings.Join(sums, " "), r)
}

// told returns a ranking that is unchanged, if there is one and the answer is right.
func (r ranking) told(answer, expected string) []ranking {
	if !r.is {
		expected = "NOT_FOUND"
	}
	return answers(answer, expected, r)
}

func stepScores(r ranking, a action, answer string) []ranking {
	var scores []string
	r.each(a, func(name string, _ int) {
		if s := r.of(name); s.is {
			scores = append(scores, strconv.Itoa(s.n))
		} else {
			scores = append(scores, "null")
		}
	})
	return r.told(answer, strings.Join(scores, " "))
}

func stepRank(r ranking, a action, answer string) []ranking {
	return r.rank(a, answer, r.ordered())
}

func stepReverseRank(r ranking, a action, answer string) []ranking {
	return r.rank(a, answer, reversed(r.ordered()))
}

func (r ranking) rank(a action, answer string, members []string) []ranking {
	if place := slices.Index(members, a.words[0]); place >= 0 {
		return r.told(answer, strconv.Itoa(place))
	}
	return r.told(answer, "NOT_FOUND")
}

func stepLowest(r ranking, a action, answer string) []ranking {
	return r.page(a, answer, r.ordered())
}

func stepHighest(r ranking, a action, answer string) []ranking {
	return r.page(a, answer, reversed(r.ordered()))
}

func (r ranking) page(a action, answer string, members []string) []ranking {
	if !r.is {
		return answers(answer, noRanking, r)
	}
	offset, count := page(a)
	members = members[min(offset, len(members)):]
	if count >= 0 {
		members = members[:min(count, len(members))]
	}
	return r.told(answer, r.text(members))
}

func stepMembersOfRanking(r ranking, _ action, answer string) []ranking {
	return r.told(answer, strconv.Itoa(len(r.ordered())))
}

func stepRankingDelete(r ranking, _ action, answer string) []ranking {
	if !r.is {
		return answers(answer, "NOT_FOUND", r)
	}
	return answers(answer, "DELETED", ranking{})
}

func reversed(members []string) []string {
	slices.Reverse(members)
	return members
}
