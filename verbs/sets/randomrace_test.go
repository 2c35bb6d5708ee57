package sets

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// aMillion makes the tests run a million random schedules and the longest races. It is
// off under the race detector, which slows them down.
const aMillion = 1_000_000

var schedules = flag.Int("schedules", 40_000, "how many random schedules are run; from a million on, the longest races are gone through too")

// Random clients with random mishaps.
func TestRandomSchedules(t *testing.T) {
	verbtest.TryRandom(t, &rules, *schedules)
	if n := verbtest.Unjudged(); n > int64(*schedules/100_000) {
		t.Errorf("%d histories are not judged, as it would take too long", n)
	}
}

// randomRace returns a random race.
func randomRace(r *rand.Rand) (race verbtest.Race) {
	race.Options = verbs.Options{CompactDirtiness: r.IntN(4), StructureItemSize: []int{4, 12, 30, 100, 300}[r.IntN(5)]}
	race.Old, race.Direct = r.IntN(3) == 0, r.IntN(8) != 0
	race.Elapse = []int64{0, 0, 2, 300}[r.IntN(4)]
	race.Chance = func() func() uint64 { return verbtest.Counter(1 << 40) } // writers always consider compacting
	if seed := r.Uint64(); r.IntN(2) == 0 {
		race.Chance = func() func() uint64 { return rand.NewPCG(seed, 0).Uint64 }
	}
	race.Slice = []int{0, 0, 1, 3}[r.IntN(4)]
	race.Views, race.Skew = r.IntN(2) == 0, []int64{0, 0, -3000, 70_000}[r.IntN(4)]
	pad := ""
	if r.IntN(8) == 0 { // members so long that segments have several parts
		pad, race.Limit = strings.Repeat(".", 200), 512
	}
	race.Log = []string{"none", "", "+a +b ", "+a -a +a -b +c -c +d ", "-x\n+a +b"}[r.IntN(5)]
	race.Log = strings.ReplaceAll(strings.ReplaceAll(race.Log, " ", pad+" "), "\n", pad+"\n")
	if strings.HasSuffix(race.Log, "b") {
		race.Log += pad + " "
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
		race.Clients = append(race.Clients, list)
	}
	return race
}

// randomRequest returns a random request.
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
