package sets

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// Random clients with random mishaps.
func TestRandomSchedules(t *testing.T) { verbtest.TryRandom(t, &rules, 40_000) }

// randomRace returns a random race.
func randomRace(r *rand.Rand) verbtest.Race {
	race := verbtest.RandomRace(r, 4, 12, 30, 100, 300)
	race.LetTimePass(r)
	pad := race.Pad(r)
	race.Log = []string{"none", "", "+a +b ", "+a -a +a -b +c -c +d ", "-x\n+a +b",
		"~1700000002:a +b ", "+a ~1700000001:a +c -c ", "~1700000002:a ~1699999995:b +c ~1700000030:d "}[r.IntN(8)]
	if strings.Count(race.Log, "~") > 1 { // with longer members it would not be an item
		pad = ""
	}
	race.Log = strings.ReplaceAll(strings.ReplaceAll(race.Log, " ", pad+" "), "\n", pad+"\n")
	if strings.HasSuffix(race.Log, "b") {
		race.Log += pad + " "
	}
	race.AddCrowd(r, 8, func() string { return randomRequest(r, pad) })
	return race
}

// single is the verbs that can be about a single set. Others don't see all of their sets at the
// same moment.
var single = slices.DeleteFunc(slices.Clone(Verbs), func(v *verbs.Verb) bool { return v.Usage == "<key> <key>+" })

// randomRequest returns a random request for any verb on a single set.
func randomRequest(r *rand.Rand, pad string) string {
	verb := single[r.IntN(len(single))].Name
	if r.IntN(3) == 0 { // more often than others
		verb = []string{"sadd", "saddp", "srem", "smembers"}[r.IntN(4)]
	}
	request := verb + " k"
	switch verb {
	case "sadd", "saddnew", "saddp", "srem", "schange", "sismember":
		for range 1 + r.IntN(3) {
			request += " "
			if verb == "schange" {
				request += []string{"+", "-"}[r.IntN(2)]
			}
			request += string(rune('a'+r.IntN(8))) + pad
		}
		if verb == "saddp" {
			request += []string{" 1", " 3", " 20", " 600"}[r.IntN(4)]
		}
		if verb != "srem" && verb != "sismember" {
			return verbtest.Carried(r, request)
		}
	case "spop", "srandmember":
		if r.IntN(2) == 0 {
			request += fmt.Sprint(" ", 1+r.IntN(3))
		}
	case "scard", "smembers", "scompact":
	default:
		panic("randomRequest lacks " + verb + ": add its arguments here, and what it does to history_test.go")
	}
	return request
}
