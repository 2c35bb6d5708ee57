package rankings

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// rules are the rules of races on rankings.
var rules = verbtest.Rules{List: theVerbs, Look: "zrange k 0 -1 withscores", Before: stateOf, Right: inSomeOrder, Ends: true, Random: randomRace}

// Options with which a head is always too long, so that every append settles; with
// which it is too long with more than a few members; and with which it never is.
var (
	tiny  = verbs.Options{StructureItemSize: 4}
	small = verbs.Options{StructureItemSize: 34} // settled at 30
	roomy = verbs.Options{StructureItemSize: 1 << 20}
)

// Increments that expire soon, and that have expired lately or long ago, by the clock with which
// races begin.
const (
	soon = "z~1@1700000001:a z~2@1700000002:b "
	gone = "z~1@1699999995:a z~2@1699999980:b "
)

var rankingRaces = []verbtest.Race{
	{Name: "two create", Log: "none", Options: roomy, Clients: [][]string{{"zadd k 5 a"}, {"zincrby k 1 a 1 b"}}},
	{Name: "three create", Log: "none", Options: roomy, Clients: [][]string{{"zincrby k 1 a"}, {"zincrby k 2 a"}, {"zinc k a"}}},
	{Name: "sums", Log: "z=1:a ", Options: roomy, Clients: [][]string{{"zincrby k 1 a"}, {"zincrby k 1 a", "zincrby k 1 a"}, {"zincrby k 1 a"}}},
	{Name: "sum and remove", Log: "z=1:a ", Options: roomy, Clients: [][]string{{"zincrby k 1 a", "zget k a"}, {"zrem k a", "zincrby k 5 a"}}},
	{Name: "sum and set", Log: "z=1:a z=2:b ", Options: roomy, Clients: [][]string{{"zincrby k 1 a -1 b", "zrevrange k 0 1"}, {"zadd k 7 a", "zrank k a"}}},
	{Name: "compact and add", Log: "z=1:a z-a z+2:b ", Options: roomy, Clients: [][]string{{"zcard k", "zinc k a"}, {"zrange k 0 -1", "zrem k b"}}},
	{Name: "compact and look", Log: "z+1:a z+1:a ", Options: roomy, Clients: [][]string{{"zsub k 1 a"}, {"zdec k a b"}, {"zget k a b"}}},
	{Name: "settle and look", Log: "z=1:a z=2:b ", Options: tiny, Clients: [][]string{{"zinc k a"}, {"zrange k 0 -1 withscores", "zcard k", "zrevrank k a"}}},
	{Name: "settle and remove", Log: "z=1:a z=2:b ", Options: tiny, Long: true, Clients: [][]string{{"zrem k a"}, {"zinc k a"}}},
	{Name: "settle and sum", Log: "z=1:a z=2:b ", Options: tiny, OnlyNew: true, Long: true, Clients: [][]string{{"zincrby k 1 a"}, {"zadd k 5 a"}}},
	{Name: "insert and remove", Log: "z=1:a ", Options: tiny, Clients: [][]string{{"zadd k 1 b 2 c"}, {"zrem k b"}}},
	{Name: "look in slices", Log: "z=1:a z-b z+1:a ", Options: tiny, OnlyNew: true, Slice: 1, Clients: [][]string{{"zinc k b"}, {"zrange k 0 1"}}},
	{Name: "sum and settle", Log: "z=1:a z=2:b z=3:c z-d ", Options: small, Long: true, OnlyNew: true, Clients: [][]string{{"zincrby k 1 a"}, {"zincrby k 1 a"}}},
	{Name: "expire and look", Log: soon, Options: roomy, Elapse: 1000, Clients: [][]string{{"zget k a b", "zcard k"}, {"zrange k 0 -1", "zincrby k 1 a"}}},
	{Name: "expire and compact", Log: gone + soon, Options: roomy, Elapse: 4000, Clients: [][]string{{"zrange k 0 -1 withscores", "zincrbyp k 1 a 2"}, {"zinc k b"}}},
	{Name: "expire and settle", Log: soon, Options: tiny, Elapse: 1000, OnlyNew: true, Long: true, Clients: [][]string{{"zincrbyp k 1 c 1"}, {"zinc k a"}}},
	{Name: "pops", Log: "z=1:a z=2:b z=2:c ", Options: roomy, OnlyNew: true, Clients: [][]string{{"zpopmin k"}, {"zpopmax k"}, {"zpopmin k 2"}}},
	{Name: "pop and change", Log: "z=1:a z=2:b ", Options: roomy, Clients: [][]string{{"zpopmin k", "zcard k"}, {"zadd k 0 c 5 a", "zpopmax k"}}},
	{Name: "pop and settle", Log: "z=1:a z=2:b ", Options: tiny, Long: true, OnlyNew: true, Clients: [][]string{{"zpopmin k"}, {"zinc k a"}}},
	{Name: "pop and expire", Log: soon, Options: roomy, OnlyNew: true, Elapse: 1000, Clients: [][]string{{"zpopmin k"}, {"zincrbyp k 5 a 1"}}},
	{Name: "trims", Log: "z=1:a z=2:b z=3:c ", Options: roomy, OnlyNew: true, Clients: [][]string{{"ztrim k 2"}, {"ztrim k -1"}, {"zadd k 0 d"}}},
	{Name: "raise and lower", Log: "z=1:a ", Options: roomy, Clients: [][]string{{"zmax k 5 a 2 b"}, {"zmin k 3 a", "zget k a b"}, {"zincrby k 1 a"}}},
	{Name: "raise and settle", Log: "z=1:a z(2:b ", Options: tiny, Long: true, OnlyNew: true, Clients: [][]string{{"zmax k 5 a"}, {"zinc k a"}}},
	{Name: "raise and expire", Log: soon, Options: roomy, Elapse: 1000, Clients: [][]string{{"zmax k 1 a", "zget k a b"}, {"zmin k 1 b", "zincrby k 1 b"}}},
	{Name: "orders", Log: "z=1:a ", Options: roomy, Orders: true, Clients: [][]string{{"zincrby k 1 a"}, {"zincrby k 1 a 1 b"}, {"zincrby k 1 a"}}},
	{Name: "order and change", Log: "z=1:a ", Options: roomy, Orders: true, Clients: [][]string{{"zincrby k 2 a", "zrem k a"}, {"zincrbyp k 3 a 1", "zadd k 1 a"}}},
	{Name: "order and compact", Log: "z=1:a z+1:a z+1:b ", Options: roomy, Orders: true, Clients: [][]string{{"zcard k"}, {"zincrby k 1 a", "zincrby k 1 a"}}},
	{Name: "order and settle", Log: "z=1:a z=2:b ", Options: tiny, Orders: true, Long: true, OnlyNew: true, Clients: [][]string{{"zincrby k 1 a"}, {"zinc k a"}}},
	{Name: "order and expire", Log: soon, Options: roomy, Orders: true, Elapse: 1000, Clients: [][]string{{"zincrby k 1 a"}, {"zincrbyp k 1 a 1", "zget k a b"}}},
}

func TestEverySchedule(t *testing.T) { verbtest.TryEach(t, &rules, rankingRaces, 0) }

// Two calls, with every mishap to every single operation.
func TestEveryMishap(t *testing.T) {
	verbtest.TryEach(t, &rules, verbtest.FirstCalls(verbtest.Short(rankingRaces)), 1)
}

// Random clients with random mishaps.
func TestRandomSchedules(t *testing.T) { verbtest.TryRandom(t, &rules, 10_000) }

// randomRace returns a random race.
func randomRace(r *rand.Rand) verbtest.Race {
	race := verbtest.RandomRace(r, 4, 12, 30, 100, 300)
	race.LetTimePass(r)
	race.Skew = min(race.Skew, format.OutlivedAt(0)*9/10) // what has expired is still kept
	if r.IntN(4) == 0 {
		race.Elapse = 400 // no call lasts a minute, after which nobody knows what its order has done
	}
	if race.Slice > 0 { // that takes many steps, and the head expires sometime
		race.Elapse = min(race.Elapse, 50)
	}
	race.Orders = r.IntN(3) == 0
	pad := race.Pad(r)
	race.Log = []string{"none", "none", "z=1:a z=2:b ", "z ", soon, gone + soon, "z+1:a z+1:a z~5@1700000001:a z-b z~1@1700000009:c ",
		"z=1:a z~3@1700000001:a z(2:a z+1:a z)5:b z~1@1700000002:b z(3:b "}[r.IntN(8)]
	if pad != "" {
		race.Log = []string{"none", "z=1:a" + pad + " z=1:b" + pad + " "}[r.IntN(2)]
	}
	race.AddCrowd(r, 6, func() string { return randomRequest(r, pad) })
	return race
}

// randomRequest returns a random request.
func randomRequest(r *rand.Rand, pad string) string {
	member := func() string { return " " + string(rune('a'+r.IntN(4))) + pad }
	pair := func() string { return fmt.Sprint(" ", r.IntN(6)-2) + member() }
	some := func(word func() string) string {
		if pad != "" || r.IntN(2) == 0 { // two orders would be too long for an item
			return word()
		}
		return word() + word()
	}
	switch verb := theVerbs.All[r.IntN(len(theVerbs.All))].Name + " k"; verb {
	case "zadd k", "zsub k", "zmax k", "zmin k":
		return verbtest.Carried(r, verb+some(pair))
	case "zincrby k":
		return verbtest.Carried(r, verb+some(pair)+[]string{"", "", " noreply"}[r.IntN(3)])
	case "zincrbyp k":
		return verbtest.Carried(r, verb+some(pair)+fmt.Sprint(" ", 1+r.IntN(3)))
	case "zinc k", "zdec k":
		return verbtest.Carried(r, verb+some(member))
	case "zrem k", "zget k":
		return verb + some(member)
	case "zrank k", "zrevrank k":
		return verb + member()
	case "zrange k", "zrevrange k":
		return verb + fmt.Sprint(" ", r.IntN(3), " ", r.IntN(4)-1) + []string{"", " withscores"}[r.IntN(2)]
	case "zcard k":
		return verb
	case "zcount k":
		return verb + bounds(r)
	case "zbyscore k", "zrevbyscore k":
		return verb + bounds(r) + []string{"", "", fmt.Sprint(" ", r.IntN(3), " ", r.IntN(4)-1)}[r.IntN(3)] + []string{"", " withscores"}[r.IntN(2)]
	case "zaround k", "zrevaround k":
		return verb + member() + fmt.Sprint(" ", r.IntN(3)) + []string{"", " withscores"}[r.IntN(2)]
	case "zpopmin k", "zpopmax k":
		return verb + []string{"", "", " 2"}[r.IntN(3)]
	case "ztrim k":
		return verb + fmt.Sprint(" ", r.IntN(5)-2)
	default:
		panic("randomRequest lacks " + verb + ": add its arguments here, and what it does to the model that plain_test.go and races_test.go have")
	}
}

// bounds returns two random bounds of scores.
func bounds(r *rand.Rand) string {
	bound := func() string { return []string{" -", " +", fmt.Sprint(" ", r.IntN(10)-3)}[r.IntN(3)] }
	return bound() + bound()
}
