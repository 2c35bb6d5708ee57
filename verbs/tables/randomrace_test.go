package tables

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// aMillion is how many random schedules show that there is time for the longest races too.
const aMillion = 1_000_000

var schedules = flag.Int("schedules", 8_000, "how many random schedules are run; from a million on, the longest races are gone through too")

// Random clients with random mishaps.
func TestRandomSchedules(t *testing.T) {
	verbtest.TryRandom(t, &rules, *schedules)
	if n := unjudged.Load(); n > int64(*schedules/100_000) {
		t.Errorf("%d histories are not judged, as it would take too long", n)
	}
}

// randomRace returns a random race.
func randomRace(r *rand.Rand) (race verbtest.Race) {
	race.Log = "none"
	race.Options = verbs.Options{CompactDirtiness: r.IntN(4), StructureItemSize: []int{4, 14, 30, 300}[r.IntN(4)]}
	race.Old, race.Direct = r.IntN(3) == 0, r.IntN(8) != 0
	race.Chance = func() func() uint64 { return verbtest.Counter(1 << 40) } // writers always consider compacting
	if seed := r.Uint64(); r.IntN(2) == 0 {
		race.Chance = func() func() uint64 { return rand.NewPCG(seed, 0).Uint64 }
	}
	race.Slice, race.Views = []int{0, 0, 1, 3}[r.IntN(4)], r.IntN(2) == 0
	number := 0
	request := func() string {
		number += 1000
		return randomRequest(r, number)
	}
	race.First = [][][]string{nil, known, dead}[r.IntN(3)]
	for range 2 + r.IntN(3) {
		var list []string
		for range 1 + r.IntN(4) {
			list = append(list, request())
		}
		race.Clients = append(race.Clients, list)
	}
	return race
}

// randomRequest returns a random request that stores a number, if it stores one.
func randomRequest(r *rand.Rand, number int) string {
	field := fields[r.IntN(len(fields))]
	switch r.IntN(16) {
	case 0, 1, 2, 3:
		return set("k", field, fmt.Sprint(number))
	case 4:
		return fmt.Sprintf("hadd k %s 0 0 %d\r\n%d", field, len(fmt.Sprint(number)), number)
	case 5, 6:
		return "hget k " + field
	case 7:
		return "hexists k " + field
	case 8, 9:
		return "hdel k " + field
	case 10:
		return fmt.Sprintf("hincr k %s %d", field, 1+r.IntN(9))
	case 11:
		return fmt.Sprintf("hdecr k %s %d", field, 1+r.IntN(9))
	case 12:
		return "hgetall k"
	case 13:
		return "hkeys k"
	case 14:
		return "settle k"
	}
	return "remove k"
}
