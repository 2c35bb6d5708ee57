package rankings

import (
	"math/rand/v2"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// Whichever operation fails, the answer says why. An operation after the answer may
// fail without consequences.
func TestEveryFailureIsTold(t *testing.T) {
	many := verbtest.Names(150, "z=1:", " ")
	nothing := func(*verbtest.World) {}
	put := func(log string) func(w *verbtest.World) { return func(w *verbtest.World) { w.Put("k", log, 0, 0) } }
	full := func(log string) func(w *verbtest.World) {
		return func(w *verbtest.World) { w.Put("k", log, 0, 0); w.Fill("k") }
	}
	segments := func(w *verbtest.World) {
		w.Settings.StructureItemSize = 100
		for range 30 {
			w.Expect("zinc k a b c", "STORED")
		}
	}
	for _, test := range []struct {
		request string
		before  func(w *verbtest.World)
	}{
		{"zadd k 1 a", nothing},
		{"zincrby k 1 a", nothing},
		{"zincrbyp k 1 a 5", nothing},
		{"zsub k 1 a", full(many)},
		{"zrem k m1", full(many + many)},
		{"zrange k 0 -1", put(many + many)},
		{"zrevrank k a", segments},
		{"zincrby k 1 a 2 b", segments},
		{"zincrbyp k 1 m1 9", put(many)},
		{"zget k a", segments},
		{"zadd k " + verbtest.Names(150, "1 ", " "), segments},
		{"zmax k 1 a", nothing},
		{"zmin k 1 a", full(many)},
		{"zcount k - +", put(many + many)},
		{"zbyscore k 0 5", segments},
		{"zaround k a 1", segments},
		{"zpopmin k 2", segments},
		{"zpopmax k", put(many)},
		{"ztrim k 1", segments},
		{"ztrim k -3", put(many)},
	} {
		verbtest.FailEach(t, theVerbs, test.request, test.before)
	}
}

// requests are one of each verb, and a large one.
var requests = []string{
	"zadd k 1 a", "zsub k 1 a", "zinc k a", "zdec k a", "zrem k a", "zincrby k 1 a", "zincrbyp k 1 a 9", "zincrby k 1 a noreply",
	"zget k a", "zrank k a", "zrevrank k a", "zrange k 0 5", "zrevrange k 0 -1 withscores", "zcard k",
	"zmax k 1 a", "zmin k 1 a", "zcount k - +", "zbyscore k 0 5", "zrevbyscore k + - 0 1 withscores", "zaround k a 1", "zrevaround k a 1",
	"zpopmin k", "zpopmax k 20", "ztrim k 1", "ztrim k -20",
	"zinc k " + verbtest.Names(20_000, "", " "),
}

func TestSenselessReplies(t *testing.T) { verbtest.ReplySenselessly(t, theVerbs, requests) }

func TestCallsDoNotSpin(t *testing.T) {
	verbtest.Long(t)
	verbtest.Interfere(t, theVerbs, requests[:len(requests)-1], func(r *rand.Rand, key string) string {
		return []string{"z ", "z=1:a ", "z~5@1700000009:a z(1:a z+1:b ", "@AAAAAAAAAAAAAAAA:1:5:z z+1:a "}[r.IntN(4)]
	})
}
