//go:build linux

package verbload_test

import (
	"math/rand/v2"
	"testing"

	"github.com/memverbs/memverbs/tests/bench/load"
	"github.com/memverbs/memverbs/tests/bench/verbload"
)

// counter counts the requests that it makes.
type counter int

func (c *counter) Next(*load.Batch, *rand.PCG) { *c++ }

// What is taken and what is given back stay in balance, and a batch is of one kind.
func TestMixed(t *testing.T) {
	for _, batch := range []counter{1, 16} {
		var first, second counter
		mixed := verbload.Mixed(&first, &second, 10, int(batch))
		for range 1100 {
			before := first
			for range batch {
				mixed.Next(nil, nil)
			}
			if n := first - before; n != 0 && n != batch {
				t.Fatalf("%d of %d of a batch", n, batch)
			}
			if first > 10*(second+batch) || 10*second > first {
				t.Fatalf("%d and %d", first, second)
			}
		}
		if first != 1000*batch || second != 100*batch {
			t.Errorf("%d and %d", first, second)
		}
	}
}
