//go:build linux

package verbload

import (
	"fmt"
	"math/rand/v2"

	"github.com/memverbs/memverbs/tests/bench/load"
	"github.com/memverbs/memverbs/tests/bench/resp"
)

// Spop takes a member out of a set, which must not get empty. Which member that is
// can't be known.
func (s Sets) Spop() load.Source {
	size := len(s.Member(0))
	return &spop{
		requests: each(s.Keys, func(i int) []byte { return fmt.Appendf(nil, "spop %s\r\n", s.Key(i)) }),
		heads:    each(s.Keys, func(i int) []byte { return fmt.Appendf(nil, "VALUE %s 0 %d\r\n", s.Key(i), size) }),
		size:     size,
	}
}

type spop struct {
	requests [][]byte
	heads    [][]byte // of the replies
	size     int      // of a member
}

var spopEnd = []byte("\r\nEND\r\n")

// Next implements [load.Source].
func (s *spop) Next(b *load.Batch, random *rand.PCG) {
	i := random.Uint64() % uint64(len(s.requests))
	b.Send(s.requests[i])
	b.Expect(s.heads[i])
	b.ExpectAny(s.size)
	b.ExpectLast(spopEnd)
}

// ValkeySpop asks Valkey what [Sets.Spop] asks memverbs.
func (s Sets) ValkeySpop() load.Source {
	size := int64(len(s.Member(0)))
	return &source{heads: s.valkeyAsks("SPOP"), want: &resp.Want{Kind: '$', Min: size, Max: size}}
}
