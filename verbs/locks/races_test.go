package locks

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// rules are the rules of races for a lock.
var rules = verbtest.Rules{List: theVerbs, Look: "unlock k nobody", Right: right, Random: randomRace}

var lockRaces = []verbtest.Race{
	{Name: "two", Log: "none", Clients: [][]string{{"lock k a 1", "unlock k a"}, {"lock k b 1", "unlock k b"}}},
	{Name: "three", Log: "none", Clients: [][]string{{"lock k a 1"}, {"lock k b 1"}, {"lock k c 1"}}},
	{Name: "three in turn", Log: "none", Long: true, Clients: [][]string{{"lock k a 1", "unlock k a"}, {"lock k b 1", "unlock k b"}, {"lock k c 1"}}},
	{Name: "held on", Log: "none", Clients: [][]string{{"lock k a 1", "relock k a 1", "unlock k a"}, {"lock k b 1", "relock k b 1"}}},
	{Name: "asked twice", Log: "none", Clients: [][]string{{"lock k a 1", "lock k a 2"}, {"lock k b 1", "unlock k b"}}},
	{Name: "one token", Log: "none", Clients: [][]string{{"lock k a 1", "unlock k a"}, {"lock k a 2", "unlock k a"}}},
	{Name: "one token and another", Log: "none", Clients: [][]string{{"lock k a 1", "unlock k a"}, {"relock k a 2"}, {"lock k b 1"}}},
	{Name: "two, while time passes", Log: "none", Elapse: 900, Clients: [][]string{{"lock k a 1", "unlock k a"}, {"lock k b 1", "unlock k b"}}},
	{Name: "held on, while time passes", Log: "none", Elapse: 900, Clients: [][]string{{"lock k a 1", "relock k a 1", "unlock k a"}, {"lock k b 1", "unlock k b"}}},
	{Name: "ended by relock", Log: "none", Clients: [][]string{{"lock k a 1", "relock k a -1", "relock k a 1"}, {"lock k b 1", "unlock k b"}}},
	{Name: "another's", Log: "none", Clients: [][]string{{"lock k a 1", "unlock k b"}, {"lock k b 1", "unlock k a"}}},
}

func TestEverySchedule(t *testing.T) {
	fewPlaces(t, 1)
	verbtest.TryEach(t, &rules, lockRaces, 0)
}

// Every mishap to every single operation. That an item is evicted stands for the end of its
// time, too.
func TestEveryMishap(t *testing.T) {
	fewPlaces(t, 1)
	verbtest.TryEach(t, &rules, verbtest.Short(lockRaces), 1)
}

// Random clients with random mishaps, while time passes.
func TestRandomSchedules(t *testing.T) {
	fewPlaces(t, 1)
	verbtest.TryRandom(t, &rules, 40_000)
}

// randomRace returns a random race.
func randomRace(r *rand.Rand) (race verbtest.Race) {
	race.Log = "none"
	race.Old, race.Direct = r.IntN(2) == 0, r.IntN(8) != 0
	race.Elapse = []int64{0, 30, 400, 1200}[r.IntN(4)]
	race.Skew = []int64{0, 0, -3000, 70_000}[r.IntN(4)]
	tokens := 1 + r.IntN(3)
	race.AddClients(r, 2+r.IntN(3), 5, func(client int) string {
		if r.IntN(8) == 0 {
			return randomRequest(r, string(rune('a'+r.IntN(3))))
		}
		return randomRequest(r, string(rune('a'+client%tokens)))
	})
	return race
}

// randomRequest returns a random request with a token.
func randomRequest(r *rand.Rand, token string) string {
	switch r.IntN(5) {
	case 0, 1:
		return fmt.Sprintf("lock k %s %d", token, 1+r.IntN(3))
	case 2:
		return fmt.Sprintf("relock k %s %d", token, []int{1, 2, 3, -1}[r.IntN(4)])
	}
	return "unlock k " + token
}
