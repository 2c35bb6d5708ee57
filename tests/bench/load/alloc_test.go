//go:build linux

package load

import (
	"math/rand/v2"
	"testing"
)

func TestNothingIsAllocatedPerRequest(t *testing.T) {
	for _, keys := range []int{1, 100} {
		p := NewPlain(Mix{Keys: 10, ValueSize: 100, GetKeys: keys, Sets: 0.1, Skew: 1})
		b, random, count := &Batch{}, rand.NewPCG(1, 2), NewCount()
		if n := testing.AllocsPerRun(1000, func() {
			b.reset()
			for range 16 {
				p.Next(b, random)
			}
			for _, piece := range b.want {
				if err := b.take(piece.text); err != nil {
					t.Fatal(err)
				}
			}
			if err := count.answered(b, 1_000_000); err != nil {
				t.Fatal(err)
			}
		}); n > 0 {
			t.Errorf("gets of %d: %v allocations in 16 requests", keys, n)
		}
	}
}
