//go:build linux

package verbload

import (
	"fmt"
	"math/rand/v2"

	"github.com/memverbs/memverbs/tests/bench/load"
	"github.com/memverbs/memverbs/tests/bench/resp"
)

// pop is requests that take a word out of a structure, which must not get empty. Only the length of the
// word is known.
type pop struct {
	requests [][]byte
	heads    [][]byte // of the replies
	size     int      // of a word
}

// newPop returns requests by a verb to memverbs.
func (c collections) newPop(verb string) load.Source {
	size := len(c.word(0))
	return &pop{
		requests: each(c.keys, func(i int) []byte { return fmt.Appendf(nil, "%s %s\r\n", verb, c.key(i)) }),
		heads:    each(c.keys, func(i int) []byte { return fmt.Appendf(nil, "VALUE %s 0 %d\r\n", c.key(i), size) }),
		size:     size,
	}
}

var popEnd = []byte("\r\nEND\r\n")

// Next implements [load.Source].
func (p *pop) Next(b *load.Batch, random *rand.PCG) {
	i := random.Uint64() % uint64(len(p.requests))
	b.Send(p.requests[i])
	b.Expect(p.heads[i])
	b.ExpectAny(p.size)
	b.ExpectLast(popEnd)
}

// newValkeyPop returns requests by a command to Valkey.
func (c collections) newValkeyPop(command string) load.Source {
	size := int64(len(c.word(0)))
	return &source{heads: c.valkeyAsks(command), want: &resp.Want{Kind: '$', Min: size, Max: size}}
}
