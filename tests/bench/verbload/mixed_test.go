//go:build linux

package verbload_test

import (
	"math/rand/v2"
	"testing"

	"github.com/memverbs/memverbs/tests/bench/load"
	"github.com/memverbs/memverbs/tests/bench/verbload"
)

// counter counts what it is asked for.
type counter int

func (c *counter) Next(*load.Batch, *rand.PCG) { *c++ }

// What is taken and what is given back stay in balance.
func TestMixed(t *testing.T) {
	var first, second counter
	mixed := verbload.Mixed(&first, &second, 10)
	for range 1100 {
		mixed.Next(nil, nil)
		if first > 10*(second+1) || 10*second > first {
			t.Fatalf("%d and %d", first, second)
		}
	}
	if first != 1000 || second != 100 {
		t.Errorf("%d and %d", first, second)
	}
}
