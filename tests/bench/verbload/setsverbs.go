//go:build linux

package verbload

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// Sadd adds a member to a set by the verb.
func (s Sets) Sadd() load.Source {
	return &source{
		heads:   each(s.Keys, func(i int) []byte { return fmt.Appendf(nil, "sadd %s ", s.Key(i)) }),
		tails:   each(s.Pool, func(i int) []byte { return fmt.Appendf(nil, "%s\r\n", s.Member(i)) }),
		replies: [][]byte{stored},
	}
}

// Append is the plain command to which [Sets.Sadd] is translated.
func (s Sets) Append() load.Source {
	size := len(s.Member(0)) + len("+ ")
	return &source{
		heads:   each(s.Keys, func(i int) []byte { return fmt.Appendf(nil, "append %s 0 0 %d\r\n+", s.Key(i), size) }),
		tails:   each(s.Pool, func(i int) []byte { return fmt.Appendf(nil, "%s \r\n", s.Member(i)) }),
		replies: [][]byte{stored},
	}
}

// Smembers asks for all members of a set.
func (s Sets) Smembers() load.Source { return s.collections().newList("smembers") }

// Sismember asks whether a set has a member that it has.
func (s Sets) Sismember() load.Source {
	return &source{
		heads:   each(s.Keys, func(i int) []byte { return fmt.Appendf(nil, "sismember %s ", s.Key(i)) }),
		tails:   each(s.Members, func(i int) []byte { return fmt.Appendf(nil, "%s\r\n", s.Member(i)) }),
		replies: [][]byte{one},
	}
}

// Scard asks how many members a set has.
func (s Sets) Scard() load.Source {
	return &source{
		heads:   each(s.Keys, func(i int) []byte { return fmt.Appendf(nil, "scard %s\r\n", s.Key(i)) }),
		replies: [][]byte{append(strconv.AppendInt(nil, int64(s.Members), 10), "\r\n"...)},
	}
}

// FillItems empties the memcacheds behind memverbs and makes each set one item, as it
// is after a compaction, or with members added over again (Worn). It is a set to memverbs
// and to the article's algorithm.
func (s Sets) FillItems(t load.Target) error {
	log := s.log()
	return fillItems(t, s.Keys, func(i int) (string, []byte) { return s.Key(i), log })
}

// FillVerbs empties the memcacheds behind memverbs and adds the members by the
// verb, some at a time, so that large sets are laid out as memverbs does that.
func (s Sets) FillVerbs(t load.Target) error { return s.collections().fillVerb(t, "sadd") }

// Spop takes a member out of a set, which must not get empty.
func (s Sets) Spop() load.Source { return s.collections().newPop("spop") }

// Online are sets with members that come and go: Members stay long, and others, up to Pool, come for some seconds.
type Online struct{ Sets }

const (
	stay  = " 86400" // seconds
	visit = " 5"
)

// Fill empties the memcacheds behind memverbs and adds the members that stay long, which expire some day.
func (s Online) Fill(t load.Target) error { return s.collections().fillLine(t, "saddp", stay) }

// Saddp has one of the others come for some seconds.
func (s Online) Saddp() load.Source { return s.coming("saddp", visit) }

// Sadd has one of the others come for ever.
func (s Online) Sadd() load.Source { return s.coming("sadd", "") }

func (s Online) coming(verb, last string) load.Source {
	return &source{
		heads:   each(s.Keys, func(i int) []byte { return fmt.Appendf(nil, "%s %s ", verb, s.Key(i)) }),
		tails:   each(s.Pool-s.Members, func(i int) []byte { return fmt.Appendf(nil, "%s%s\r\n", s.Member(s.Members+i), last) }),
		replies: [][]byte{stored},
	}
}

// Scard asks how many members a set has. That is not known, but for the number of its digits.
func (s Online) Scard() load.Source {
	return &counting{
		heads:  each(s.Keys, func(i int) []byte { return fmt.Appendf(nil, "scard %s\r\n", s.Key(i)) }),
		digits: len(strconv.Itoa(s.Members)),
	}
}

// counting is a load of requests that are answered by a number of so many digits.
type counting struct {
	heads  [][]byte
	digits int
}

// Next implements [load.Source].
func (s *counting) Next(b *load.Batch, random *rand.PCG) {
	b.Send(s.heads[random.Uint64()%uint64(len(s.heads))])
	b.ExpectAny(s.digits)
	b.ExpectLast(lineEnd)
}
