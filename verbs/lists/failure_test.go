package lists

import (
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// Whichever operation fails, the answer says why. An operation after the answer may
// fail without consequences.
func TestEveryFailureIsTold(t *testing.T) {
	many := verbtest.Names(150, "l>", " ")
	nothing := func(*verbtest.World) {}
	put := func(log string) func(w *verbtest.World) { return func(w *verbtest.World) { w.Put("k", log, 0, 0) } }
	full := func(log string) func(w *verbtest.World) {
		return func(w *verbtest.World) { w.Put("k", log, 0, 0); w.Fill("k") }
	}
	segments := func(w *verbtest.World) {
		w.Settings.StructureItemSize = 100
		for range 30 {
			w.Expect("rpush k a b c", "STORED")
		}
	}
	for _, test := range []struct {
		request string
		before  func(w *verbtest.World)
	}{
		{"rpush k a", nothing},
		{"lpush k a", full(many)},
		{"rput k 7 5\r\na b c", nothing},
		{"lput k 7 5\r\na b c", full(many)},
		{"lrange k", put("l+>element-0001.7.a " + many)},
		{"lpop k 3", put("l+>element-0001.7.a " + many)},
		{"lrem k 2 m1", full(many + many)},
		{"lrange k", put(many + many)},
		{"llen k", segments},
		{"lpop k", segments},
		{"rpop k 20", put(many)},
		{"ltrim k 20 30", segments},
		{"rpush k " + many, segments},
	} {
		verbtest.FailEach(t, theVerbs, test.request, test.before)
	}
}

func TestSenselessReplies(t *testing.T) {
	verbtest.ReplySenselessly(t, theVerbs, []string{
		"rpush k a", "lpush k a", "rput k 7 5\r\na b c", "lput k 7 0\r\n", "lrem k 0 a", "lrange k 0 5", "llen k", "lpop k", "rpop k 30", "ltrim k 1 2",
		"rpush k " + verbtest.Names(20_000, "", " "),
	})
}
