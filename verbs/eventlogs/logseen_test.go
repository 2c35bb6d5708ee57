package eventlogs

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// sees makes a logfetch that waits, and returns what it has seen.
func sees(w *verbtest.World, words string, want ...string) verbs.Seen {
	w.T.Helper()
	fetchLog(w, words+" wait 5000", want...)
	return w.Client.Routine.Seen()
}

// A fetch that waits has too few events unless there are more than it says. A time before now is before the time when it
// has begun to wait.
func TestFewEvents(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		few := func(words string, few bool, want ...string) {
			t.Helper()
			if got := sees(w, words, want...); got.Few != few {
				t.Errorf("logfetch %s: few is %v", words, got.Few)
			}
		}
		few("l 0", true)
		w.Clock += 1000
		putLog(w, "l", 0, "a", "STORED")
		putLog(w, "l", 0, "b", "STORED")
		few("l 0", false, "a", "b")
		few("l 0 more 1", false, "a", "b")
		few("l 0 more 2", true, "a", "b")
		few("l 1700000001001", true)
		w.Clock += 5000
		few("l 0", true)
		few("l -4999", true)
		few("l -5000 more 1", false, "a", "b")
		w.Client.Began = w.Clock - 5000
		few("l 0 more 1", false, "a", "b")
		few("l -1", false, "a", "b")
		few("l 1700000001001", true)
		w.Client.Began = 0
	})
}

// An event of the future is found when its time has come.
func TestWhenEventsCome(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		if in := sees(w, "l 0").In; in != 0 {
			t.Errorf("in %d ms", in)
		}
		putLog(w, "l", start+3000, "b", "STORED")
		putLog(w, "l", start+2000, "a", "STORED")
		before := sees(w, "l 0")
		if before.In != 2000 {
			t.Errorf("in %d ms", before.In)
		}
		w.Client.Began = w.Clock
		w.Clock += 2000
		if after := sees(w, "l 0", "a"); after.In != 1000 || after.Mark == before.Mark {
			t.Errorf("in %d ms, and it has seen the same %v", after.In, after.Mark == before.Mark)
		}
	})
}

// Whatever happens between two fetches that begin in one chunk, although from different times on: if one has seen the same
// as the other, there is the same for both. If one begins in an earlier chunk, it sees what the other does.
func TestSameMarks(t *testing.T) {
	w := newWorld(t)
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 3))
		log := fmt.Sprint("l", seed)
		w.Clock += 60_000
		w.Client.Began = w.Clock
		type look struct {
			seen   verbs.Seen
			answer string
		}
		last := map[int64]look{} // by where they begin
		for range 40 {
			switch r.IntN(4) {
			case 0:
				putLog(w, log, w.Clock-r.Int64N(40_000), "x", "STORED")
			case 1:
				w.Clock += r.Int64N(100)
			}
			w.Send(fmt.Sprintf("logfetch %s %d more %d wait 5000", log, w.Clock+2000-r.Int64N(40_000), r.IntN(3)))
			seen := w.Client.Routine.Seen()
			if seen.Mark == 0 || seen.From > chunksOf(w).at(w.Clock) {
				t.Fatalf("seed %d: %+v", seed, seen)
			}
			w.Send(fmt.Sprintf("logfetch %s %d wait 5000", log, seen.From*w.Settings.LogChunk)) // from the chunk's beginning on
			if of := last[seen.From]; of.seen.Mark == seen.Mark && of.answer != w.Client.Answer {
				t.Fatalf("seed %d: the same mark for %q and %q", seed, of.answer, w.Client.Answer)
			}
			if again := w.Client.Routine.Seen(); again.From != seen.From || again.Mark != seen.Mark {
				t.Fatalf("seed %d: %+v and %+v, though they begin in one chunk", seed, seen, again)
			}
			last[seen.From] = look{seen, w.Client.Answer}
		}
	}
}
