package sets

import (
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// Whichever operation fails, the answer says why. An operation after the answer may
// fail without consequences.
func TestEveryFailureIsTold(t *testing.T) {
	live := verbtest.Names(150, "+", " ")
	nothing := func(*verbtest.World) {}
	put := func(log string) func(w *verbtest.World) { return func(w *verbtest.World) { w.Put("k", log, 0, 0) } }
	full := func(log string) func(w *verbtest.World) {
		return func(w *verbtest.World) { w.Put("k", log, 0, 0); w.Fill("k") }
	}
	segments := func(w *verbtest.World) { large(w) }
	for _, test := range []struct {
		request string
		before  func(w *verbtest.World)
	}{
		{"sadd k a", nothing},
		{"sadd k a", full(live)},
		{"sadd k a", full(live + live)},
		{"srem k m1", nothing},
		{"srem k m1", full(live)},
		{"scard k", put(live + live)},
		{"sismember k m1", put(live + live)},
		{"smembers k l k", put(live + live)},
		{"sunion k l k", put(live + live)},
		{"sinter l k", segments},
		{"spop k", put(live + live)},
		{"spop k 4", segments},
		{"srandmember k", segments},
		{"scompact k", segments},
		{"scard k", segments},
		{"sadd k " + live, segments},
	} {
		verbtest.FailEach(t, theVerbs, test.request, test.before)
	}
}

func TestSenselessReplies(t *testing.T) {
	verbtest.ReplySenselessly(t, theVerbs, []string{
		"sadd k a", "srem k a", "scard k", "sismember k a", "smembers k l",
		"spop k", "srandmember k 2", "scompact k", "sunion k l", "sadd k " + verbtest.Names(20_000, "", " "),
	})
}
