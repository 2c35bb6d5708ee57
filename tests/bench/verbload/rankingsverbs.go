//go:build linux

package verbload

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// Zadd sets the score of a member to another one.
func (r Rankings) Zadd() load.Source {
	tails := each(changes*r.Members, func(i int) []byte {
		score, member := r.change(i)
		return fmt.Appendf(nil, "%d %s\r\n", score, member)
	})
	return &source{heads: r.heads("zadd %s "), tails: tails, replies: [][]byte{stored}}
}

// Zinc adds 1 to the score of a member.
func (r Rankings) Zinc() load.Source {
	return &source{heads: r.heads("zinc %s "), tails: r.tails("%s\r\n", r.Member), replies: [][]byte{stored}}
}

// Zincrby adds 1 to the score of a member, and gets the new score.
func (r Rankings) Zincrby() load.Source {
	return &sums{r.heads("zincrby %s 1 "), r.tails("%s\r\n", r.Member)}
}

// Zincrbyp is the same for so many seconds.
func (r Rankings) Zincrbyp(seconds int) load.Source {
	return &sums{r.heads("zincrbyp %s 1 "), r.tails(fmt.Sprintf("%%s %d\r\n", seconds), r.Member)}
}

// Zget asks for the score of a member.
func (r Rankings) Zget() load.Source {
	return &source{
		heads: r.heads("zget %s "),
		tails: r.tails("%s\r\n", r.Member),
		rows:  each(r.Members, func(i int) []byte { return fmt.Appendf(nil, "%d\r\n", r.Score(i)) }),
	}
}

// Zrevrange asks for the n members with the highest scores, and for the scores.
func (r Rankings) Zrevrange(n int) load.Source {
	var best []string
	for _, i := range r.best(n) {
		best = append(best, fmt.Sprintf("%s %d", r.Member(i), r.Score(i)))
	}
	list := strings.Join(best, " ")
	return &source{
		heads: r.heads(fmt.Sprintf("zrevrange %%s 0 %d withscores\r\n", n)),
		replies: each(r.Keys, func(i int) []byte {
			return fmt.Appendf(nil, "VALUE %s 0 %d\r\n%s\r\nEND\r\n", r.Key(i), len(list), list)
		}),
	}
}

// Zbyscore asks one ranking for n members whose scores are in a range, and for the scores.
func (r Rankings) Zbyscore(n int) load.Source {
	return r.inside("zbyscore", n, func(from int, _ []int) string { return fmt.Sprintf("%d %d", lowest+from, lowest+from+n-1) })
}

// Zaround asks one ranking for a member and the n before and after it, and for the scores.
func (r Rankings) Zaround(n int) load.Source {
	return r.inside("zaround", 2*n+1, func(_ int, members []int) string { return fmt.Sprintf("%s %d", r.Member(members[n]), n) })
}

// asked is how many places of a ranking a load asks about.
const asked = 1000

// inside asks one ranking for some members in a row, by a verb whose words are made of the place of the first of
// these, and of all of them.
func (r Rankings) inside(verb string, some int, words func(from int, members []int) string) load.Source {
	all, s := r.inOrder(), &source{heads: [][]byte{fmt.Appendf(nil, "%s %s ", verb, r.Key(0))}}
	for from := 0; from+some <= r.Members; from += max(r.Members/asked, 1) {
		var told []string
		for _, i := range all[from : from+some] {
			told = append(told, fmt.Sprintf("%s %d", r.Member(i), r.Score(i)))
		}
		list := strings.Join(told, " ")
		s.tails = append(s.tails, fmt.Appendf(nil, "%s withscores\r\n", words(from, all[from:from+some])))
		s.rows = append(s.rows, fmt.Appendf(nil, "VALUE %s 0 %d\r\n%s\r\nEND\r\n", r.Key(0), len(list), list))
	}
	return s
}

// heads returns heads of requests, one for each key.
func (r Rankings) heads(format string) [][]byte {
	return each(r.Keys, func(i int) []byte { return fmt.Appendf(nil, format, r.Key(i)) })
}

// tails returns tails of requests, one for each member.
func (r Rankings) tails(format string, word func(i int) string) [][]byte {
	return each(r.Members, func(i int) []byte { return fmt.Appendf(nil, format, word(i)) })
}

// sums is requests that return new scores. Only the length of these is known.
type sums struct{ heads, tails [][]byte }

var (
	firstDigit  = []byte("1") // of every score: a refusal begins otherwise
	otherDigits = 9
	lineEnd     = []byte("\r\n")
)

// Next implements [load.Source].
func (s *sums) Next(b *load.Batch, random *rand.PCG) {
	b.Send(s.heads[random.Uint64()%uint64(len(s.heads))])
	b.Send(s.tails[random.Uint64()%uint64(len(s.tails))])
	b.Expect(firstDigit)
	b.ExpectAny(otherDigits)
	b.ExpectLast(lineEnd)
}

// FillItems empties the memcacheds behind memverbs and makes each ranking one item, as memverbs
// has it.
func (r Rankings) FillItems(t load.Target) error {
	log := bytes.Join(each(r.Members, func(i int) []byte { return fmt.Appendf(nil, "z=%d:%s ", r.Score(i), r.Member(i)) }), nil)
	return fillItems(t, r.Keys, func(i int) (string, []byte) { return r.Key(i), log })
}

// FillVerbs empties the memcacheds behind memverbs and sets the scores by the verb, some at a
// time, so that large rankings are laid out as memverbs does that.
func (r Rankings) FillVerbs(t load.Target) error {
	return collections{r.Keys, r.Members, r.Key, r.pair}.fillVerb(t, "zadd")
}
