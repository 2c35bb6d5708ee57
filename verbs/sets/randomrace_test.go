package sets

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// Random clients with random mishaps.
func TestRandomSchedules(t *testing.T) { verbtest.TryRandom(t, &rules, 40_000) }

// randomRace returns a random race.
func randomRace(r *rand.Rand) verbtest.Race {
	race := verbtest.RandomRace(r, 4, 12, 30, 100, 300)
	race.LetTimePass(r)
	pad := race.Pad(r)
	race.Log = []string{"none", "", "+a +b ", "+a -a +a -b +c -c +d ", "-x\n+a +b"}[r.IntN(5)]
	race.Log = strings.ReplaceAll(strings.ReplaceAll(race.Log, " ", pad+" "), "\n", pad+"\n")
	if strings.HasSuffix(race.Log, "b") {
		race.Log += pad + " "
	}
	race.AddCrowd(r, 8, func() string { return randomRequest(r, pad) })
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
