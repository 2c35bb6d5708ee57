//go:build linux

package verbload

import (
	"math/rand/v2"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// Mixed asks for what two sources think out: one request of the second to so many of
// the first, at random.
func Mixed(first, second load.Source, to int) load.Source {
	return &mixed{first, second, uint64(to) + 1}
}

type mixed struct {
	first, second load.Source
	every         uint64
}

// Next implements [load.Source].
func (m *mixed) Next(b *load.Batch, random *rand.PCG) {
	if random.Uint64()%m.every == 0 {
		m.second.Next(b, random)
	} else {
		m.first.Next(b, random)
	}
}
