package verbtest

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// fewUnjudged is of how many histories one may remain unjudged, besides the first. On a busy machine
// there are more of them, as what they are given is time.
const fewUnjudged = 10_000

// TryRandom runs random races with random mishaps, and checks rules: so many races, unless
// the flag says otherwise, or fewer if brief. To repeat one, start with its seed.
func TryRandom(t *testing.T, rules *Rules, usual int) {
	races := NumberOf(usual)
	var next atomic.Int64
	begun := time.Now()
	workers := runtime.GOMAXPROCS(0)
	t.Run("all", func(t *testing.T) {
		for worker := range workers {
			t.Run(fmt.Sprint(worker), func(t *testing.T) {
				t.Parallel()
				tr := NewTrack(t, rules)
				for n := next.Add(1); n <= int64(races) && !t.Failed(); n = next.Add(1) {
					tr.runSeed(t, *firstSeed+uint64(n)-1)
				}
			})
		}
	})
	t.Logf("%d schedules, %.0f a second on %d cores", races, float64(races)/time.Since(begun).Seconds(), workers)
	if n := unjudged.Load(); n > int64(1+races/fewUnjudged) {
		t.Errorf("%d histories are not judged, as it would take too long", n)
	}
}

// runSeed runs the race of a seed.
func (tr *Track) runSeed(t *testing.T, seed uint64) {
	choose := NewRandom(seed, []float64{0, 0.02, 0.1}[seed%3])
	race := tr.rules.Random(choose.Rand)
	race.Name = fmt.Sprintf("seed %d", seed)
	switch _, wrong := tr.Run(&race, choose); {
	case wrong == forEver:
		t.Errorf("%s: %s", race.Name, wrong) // shortening it would take for ever, too
	case wrong != "":
		t.Errorf("%s: %s\n%s", race.Name, wrong, tr.Shrink(&race, choose.Taken))
	}
}
