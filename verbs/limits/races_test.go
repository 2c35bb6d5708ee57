package limits

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// rulesOf returns the rules of races for a limit.
func rulesOf(right func(string, []*verbtest.Call) bool) *verbtest.Rules {
	return &verbtest.Rules{
		List: theVerbs, Look: "limit k 9007199254740992 1 0", Right: right, Random: randomRace,
		Stray: func(*verbtest.World, []*verbtest.Call) []string { return nil }, // counters expire by themselves
	}
}

// Random clients with random mishaps, while time passes.
func TestRandomSchedules(t *testing.T) { verbtest.TryRandom(t, rulesOf(bounded), 400) }

// Random clients, of which nothing but the others keeps one from what it asks for.
func TestNothingIsRefusedWithoutReason(t *testing.T) {
	tr := verbtest.NewTrack(t, rulesOf(generous))
	for n := range verbtest.NumberOf(100) {
		choose := verbtest.NewRandom(verbtest.FirstSeed()+uint64(n), 0)
		race := randomRace(choose.Rand)
		race.Skew = 0
		if _, wrong := tr.Run(&race, choose); wrong != "" {
			t.Fatalf("seed %d: %s", verbtest.FirstSeed()+uint64(n), wrong)
		}
	}
}

// randomRace returns a random race.
func randomRace(r *rand.Rand) (race verbtest.Race) {
	race.Log = "none"
	race.Direct = r.IntN(8) != 0
	race.Elapse = []int64{0, 1, 4, 20, 100}[r.IntN(5)]
	race.Skew = []int64{0, 0, 10, -50, 62, 63, -300, 70_000}[r.IntN(8)]
	count, seconds := 1+r.IntN(4), 1+r.IntN(2)
	race.AddClients(r, 2+r.IntN(4), 6, func(int) string {
		request := fmt.Sprintf("limit k %d %d", count, seconds)
		if n := r.IntN(count + 3); n <= count {
			request += fmt.Sprint(" ", n)
		}
		return request
	})
	return race
}
