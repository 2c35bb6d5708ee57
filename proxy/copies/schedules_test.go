package copies

import (
	"math/rand/v2"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// While all proxies see the same servers, and changes of a key don't overlap, nobody reads a value that is older than a change
// that was acknowledged before.

// run lets clients get and change the key for some steps, as r decides, with mishaps at a rate.
func (w *world) run(r *rand.Rand, rate float64) {
	for range 30 + r.IntN(90) {
		if w.wrong != "" {
			return
		}
		var flying []func()
		for _, s := range w.servers {
			for _, o := range s.flying {
				flying = append(flying, func() { w.advance(s, o) })
			}
		}
		switch n := r.IntN(4); {
		case r.Float64() < rate:
			w.mishap(r)
		case n == 0 && w.change == nil && r.IntN(2) == 0:
			w.begin([]string{"set", "set", "delete", "delete", "touch", "add", "replace"}[r.IntN(7)])
		case n == 1 && len(w.gets) < 3:
			w.read()
		case len(flying) > 0:
			flying[r.IntN(len(flying))]()
		}
	}
}

// TestRandomSchedules lets clients get and change a key with two or three copies, while items are evicted, and servers go away
// and come back, with their items or without.
func TestRandomSchedules(t *testing.T) {
	filled := 0
	for i := range uint64(verbtest.NumberOf(150_000)) {
		seed := verbtest.FirstSeed() + i
		r := rand.New(rand.NewPCG(seed, 1))
		w := newWorld(2 + r.IntN(2))
		if w.run(r, []float64{0.03, 0.1, 0.25}[r.IntN(3)]); w.wrong != "" {
			t.Fatalf("seed %d: %s", seed, w)
		}
		filled += w.filled
	}
	if filled == 0 {
		t.Error("no copy was filled")
	}
}
