package tasks

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// queue puts a queue into the world that has a task that is due and one that is held.
func queue(w *verbtest.World) {
	w.Put("k", dueLog+heldLog, 0, 0)
	for _, item := range items {
		w.Put(item, "content", 0, 0)
	}
}

// segments does that in a queue that has segments.
func segments(w *verbtest.World) {
	queue(w)
	w.Settings.StructureItemSize = 100
	for range 5 {
		w.Expect(put("x", 0), "STORED")
	}
}

// Whichever operation fails, the answer says why. An operation after the answer may fail without
// consequences.
func TestEveryFailureIsTold(t *testing.T) {
	for _, test := range []struct {
		request string
		before  func(w *verbtest.World)
	}{
		{put("a", 0), func(*verbtest.World) {}},
		{put("a", 0), segments},
		{"taskdone k " + stampB, queue},
		{"taskdone k " + stampB, segments},
		{"taskkeep k " + stampB + " 5", queue},
		{"taskretry k " + stampB + " 0", segments},
		{"taskdrop k b", queue},
		{"tasklist k", segments},
		{"tasklen k", queue},
		{add("a", 0), func(*verbtest.World) {}},
		{add("x", 0), segments},
		{add("c", 0), segments},
		{"taskmove k a 0", queue},
		{"taskmove k a 0", segments},
		{"taskpeek k b", queue},
		{"taskpeek k b", segments},
	} {
		verbtest.FailEach(t, theVerbs, test.request, test.before)
	}
}

// requests are one of each verb.
var requests = []string{
	put("a", 0), "tasktake k 5", "tasktake k 5 3", "taskdone k " + stampB, "taskkeep k " + stampB + " 5", "taskretry k " + stampB + " 0",
	"taskdrop k b", "tasklist k", "tasklen k", "tasktake k 5 most 1", add("c", 0), "taskmove k a 0", "taskpeek k b",
}

func TestSenselessReplies(t *testing.T) { verbtest.ReplySenselessly(t, theVerbs, requests) }

func TestCallsDoNotSpin(t *testing.T) {
	verbtest.Long(t)
	verbtest.Interfere(t, theVerbs, requests, func(r *rand.Rand, key string) string {
		return []string{"t ", dueLog, heldLog, dueLog + heldLog, "@AAAAAAAAAAAAAAAA:1:5:t t-:x "}[r.IntN(5)]
	})
}

// A take that could not read the queue, or whose append may have been lost, says so. What it has
// taken perhaps is due again when its hold is over.
func TestFailuresOfTake(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		queue(w)
		for failing := range 6 {
			n := -1
			w.Instead = instead(func() bool { n++; return n == failing })
			answer := w.Send("tasktake k 5")
			w.Instead = nil
			if !strings.HasPrefix(answer, "SERVER_ERROR") && failing < 2 {
				t.Errorf("operation %d failed: answered %q", failing, answer)
			}
			w.Clock += 6000
		}
		if answer := w.Send("tasktake k 5 2"); strings.Count(answer, "VALUE") != 2 {
			t.Errorf("after all answered %q", answer)
		}
	})
}
