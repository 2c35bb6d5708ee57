package eventlogs

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// Whatever others do between any two operations, every call ends with an answer.
func TestNothingSpins(t *testing.T) {
	requests := []string{"logput l 0 0 3\r\nabc", "logput l 0 1700000009000 3\r\nabc", "logput l 0 1700000010000 3\r\nabc",
		"logfetch l 1 9223372036854775807"}
	verbtest.Interfere(t, theVerbs, requests, func(r *rand.Rand, _ string) string {
		return record(start, strings.Repeat("y", r.IntN(3)))
	})
}

// The same if another client does the worst at every step.
func TestContended(t *testing.T) {
	const want = "SERVER_ERROR l:170000000+1 is changed by others all the time: given up after many tries; try again"
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Silent = 5000
		w.Instead = func(op verbs.Op) (verbs.Reply, bool) { // missing whenever it is touched
			if op.Kind == verbs.Touch {
				w.Evict("l:170000000+1")
			}
			return verbs.Reply{}, false
		}
		w.Expect("logput l 0 0 1\r\nx", want)
	})
}
