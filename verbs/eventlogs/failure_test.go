package eventlogs

import (
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// Whichever operation fails, the answer says why. An operation after the answer may
// fail without consequences.
func TestEveryFailureIsTold(t *testing.T) {
	nothing := func(*verbtest.World) {}
	silent := func(w *verbtest.World) { w.Silent = 2000 }
	for _, test := range []struct {
		request string
		before  func(w *verbtest.World)
	}{
		{"logput l 0 0 3\r\nabc", nothing},
		{"logput l 0 0 3\r\nabc", silent},
		{"logput l 0 0 3\r\nabc", func(w *verbtest.World) { fillChunk(w, "l", 1) }},
		{"logput l 0 0 3\r\nabc", func(w *verbtest.World) { fillChunk(w, "l", 11) }},
		{"logput l 0 1700000010000 3\r\nabc", nothing},
		{"logfetch l", func(w *verbtest.World) { fillChunk(w, "l", 11) }},
	} {
		verbtest.FailEach(t, theVerbs, test.request, test.before)
	}
}

func TestSenselessReplies(t *testing.T) {
	verbtest.ReplySenselessly(t, theVerbs, []string{"logput l 0 0 3\r\nabc", "logput l 0 1700000010000 3\r\nabc", "logfetch l"})
}
