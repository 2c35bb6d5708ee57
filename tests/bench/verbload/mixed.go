//go:build linux

package verbload

import (
	"math/rand/v2"
	"sync/atomic"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// Mixed asks for what two sources think out: so many batches of the first, one of the
// second, and so on. A batch has that many requests. They are counted rather than drawn, so that
// what one of them takes and the other gives back never runs out.
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
