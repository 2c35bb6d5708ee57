package sets

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// aMillion random schedules are run, along with the longest races, where the
// race detector does not slow them down.
const aMillion = 1_000_000

var schedules = flag.Int("schedules", 40_000, "how many random schedules are run; from a million on, the longest races are gone through too")

// Clients at random, with mishaps at random. To see one again, set only to its
// seed.
func TestRandomSchedules(t *testing.T) {
	const only = 0
	var next atomic.Int64
	begun := time.Now()
	workers := runtime.GOMAXPROCS(0)
	t.Run("all", func(t *testing.T) {
		for worker := range workers {
			t.Run(fmt.Sprint(worker), func(t *testing.T) {
				t.Parallel()
				tr := newTrack(t)
				for seed := uint64(next.Add(1)); seed <= uint64(*schedules) && !t.Failed(); seed = uint64(next.Add(1)) {
					if only == 0 || seed == only {
						tr.runSeed(t, seed)
					}
				}
			})
		}
	})
	t.Logf("%d schedules, %.0f a second on %d cores", *schedules, float64(*schedules)/time.Since(begun).Seconds(), workers)
}

// runSeed runs the race that a seed stands for.
func (tr *track) runSeed(t *testing.T, seed uint64) {
	choose := verbtest.NewRandom(seed, []float64{0, 0.02, 0.1}[seed%3])
	race := randomRace(choose.Rand)
	race.name = fmt.Sprintf("seed %d", seed)
	if _, wrong := tr.run(&race, choose); wrong != "" {
		t.Errorf("%s: %s\n%s", race.name, wrong, tr.shrink(&race, choose.Taken))
	}
}

// randomRace makes up a race.
func randomRace(r *rand.Rand) (race setRace) {
	race.options = verbs.Options{CompactDirtiness: r.IntN(4), StructureItemSize: []int{4, 12, 30, 100, 300}[r.IntN(5)]}
	race.old, race.direct = r.IntN(3) == 0, r.IntN(8) != 0
	race.elapse = []int64{0, 0, 2, 300}[r.IntN(4)]
	race.chance = func() func() uint64 { return counter(1 << 40) } // writers always look whether to compact
	if seed := r.Uint64(); r.IntN(2) == 0 {
		race.chance = func() func() uint64 { return rand.NewPCG(seed, 0).Uint64 }
	}
	race.slice = []int{0, 0, 1, 3}[r.IntN(4)]
	race.views, race.skew = r.IntN(2) == 0, []int64{0, 0, -3000, 70_000}[r.IntN(4)]
	pad := ""
	if r.IntN(8) == 0 { // members so long that segments have several parts
		pad, race.limit = strings.Repeat(".", 200), 512
	}
	race.log = []string{"none", "", "+a +b ", "+a -a +a -b +c -c +d ", "-x\n+a +b"}[r.IntN(5)]
	race.log = strings.ReplaceAll(strings.ReplaceAll(race.log, " ", pad+" "), "\n", pad+"\n")
	if strings.HasSuffix(race.log, "b") {
		race.log += pad + " "
	}
	clients, requests := 2+r.IntN(3), 1+r.IntN(4)
	if r.IntN(6) == 0 {
		clients, requests = 8, 1+r.IntN(3)
	}
	for range clients {
		var list []string
		for range 1 + r.IntN(requests) {
			list = append(list, randomRequest(r, pad))
		}
		race.clients = append(race.clients, list)
	}
	return race
}

// randomRequest makes up a request.
func randomRequest(r *rand.Rand, pad string) string {
	verbs := []string{"sadd", "sadd", "sadd", "srem", "srem", "sismember", "scard", "smembers", "smembers", "spop", "srandmember", "scompact"}
	request := verbs[r.IntN(len(verbs))] + " k"
	switch strings.Fields(request)[0] {
	case "sadd", "srem", "sismember":
		for range 1 + r.IntN(3) {
			request += " " + string(rune('a'+r.IntN(8))) + pad
		}
	case "spop", "srandmember":
		if r.IntN(2) == 0 {
			request += fmt.Sprint(" ", 1+r.IntN(3))
		}
	}
	return request
}
