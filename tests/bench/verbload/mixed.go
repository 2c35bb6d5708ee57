//go:build linux

package verbload

import (
	"math/rand/v2"
	"sync/atomic"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// Mixed alternates between two sources: to batches of the first, then one batch of the second, and so
// on. Each batch has batch requests. Since batches are counted rather than drawn at random, the second source
// can give back as much as the first takes.
func Mixed(first, second load.Source, to, batch int) load.Source {
	return &mixed{first: first, second: second, every: uint64(to) + 1, batch: uint64(batch)}
}

type mixed struct {
	first, second load.Source
	every, batch  uint64
	asked         atomic.Uint64
}

// Next implements [load.Source].
func (m *mixed) Next(b *load.Batch, random *rand.PCG) {
	if batches := (m.asked.Add(1) + m.batch - 1) / m.batch; batches%m.every == 0 {
		m.second.Next(b, random)
	} else {
		m.first.Next(b, random)
	}
}
