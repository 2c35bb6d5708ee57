package sets

import (
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// Whichever operation fails, the answer says why. An operation after the answer may
// fail without consequences.
func TestEveryFailureIsTold(t *testing.T) {
	verbtest.Long(t)
	live := verbtest.Names(150, "+", " ")
	nothing := func(*verbtest.World) {}
	put := func(log string) func(w *verbtest.World) { return func(w *verbtest.World) { w.Put("k", log, 0, 0) } }
	full := func(log string) func(w *verbtest.World) {
		return func(w *verbtest.World) { w.Put("k", log, 0, 0); w.Fill("k") }
	}
	segments := func(w *verbtest.World) { large(w) }
	for _, request := range requests(t, every) {
		for _, before := range []func(*verbtest.World){nothing, put(live + live), full(live), full(live + live), segments} {
			verbtest.FailEach(t, theVerbs, request, before)
		}
	}
	verbtest.FailEach(t, theVerbs, "sadd k "+live, segments)
	verbtest.FailEach(t, theVerbs, "sunion k l k", put(live+live))
}

func TestSenselessReplies(t *testing.T) {
	verbtest.ReplySenselessly(t, theVerbs, append(requests(t, every), "sadd k "+verbtest.Names(20_000, "", " ")))
}
