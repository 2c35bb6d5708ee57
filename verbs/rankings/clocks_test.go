package rankings

import (
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/views"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

const anHour = 3_600_000

// A ranking that was read while the clock was ahead is not answered with, decided on or written once
// it is put back.
func TestClockAheadForMoment(t *testing.T) {
	w := eager(t)
	w.Settings.CompactDirtiness = 1 << 30
	w.Expect("zincrbyp k 5 page 600", "5")
	w.Expect("zget k page", "5")
	w.Ahead = anHour
	w.Expect("zget k page", "null")
	w.Ahead = 0
	w.Expect("zincrbyp k 1 page 600", "6")
	w.Expect("zget k page", "6")
	w.Ahead = anHour
	w.Expect("zcard k", "0")
	w.Ahead, w.Settings.CompactDirtiness = 0, 0
	w.Expect("zrange k 0 -1 withscores", "VALUE k 0 6", "page 6", "END")
	w.Holds("k", "z~6@1700000600:page ")
}

// A proxy whose clock is ahead for good forgets nothing of what has not expired by memcached's clock,
// neither when it compacts nor when it settles the head.
func TestClockAheadForGood(t *testing.T) {
	for name, size := range map[string]int{"compacts": 1 << 20, "settles": 4} {
		t.Run(name, func(t *testing.T) {
			verbtest.OnBoth(t, theVerbs, func(t *testing.T, w *verbtest.World) {
				w.Settings.CompactDirtiness = 0
				w.Settings.StructureItemSize = size
				w.Expect("zincrbyp k 5 page 600", "5")
				w.Expect("zadd k 1 other", "STORED")
				w.Ahead = anHour
				w.Expect("zadd k 2 other", "STORED")
				w.Expect("zrange k 0 -1 withscores", "VALUE k 0 7", "other 2", "END")
				w.Expect("zincrby k 1 other", "3")
				w.Ahead = 0
				w.Expect("zget k page other", "5 3")
				w.Clock += 611_000
				w.Expect("zget k page other", "null 3")
			})
		})
	}
}

// A proxy whose clock is ahead pops and trims by that clock: what it takes out is gone for everybody, and what it does not see
// stays.
func TestClockAheadPops(t *testing.T) {
	verbtest.OnBoth(t, theVerbs, func(t *testing.T, w *verbtest.World) {
		w.Expect("zadd k 1 a 2 b 3 c", "STORED")
		w.Expect("zincrbyp k 10 a 1 page 600", "11 1")
		w.Ahead = anHour
		w.Expect("zpopmin k", "VALUE k 0 3", "a 1", "END")
		w.Expect("ztrim k 1", "STORED")
		w.Ahead = 0
		w.Expect("zrange k 0 -1 withscores", "VALUE k 0 10", "page 1 c 3", "END")
	})
}

// An increment counts in its own answer, also where the ranking was last read by a clock that was ahead then.
func TestIncrementAfterClockWasAhead(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	w.Kept = views.Eager([]byte("k"))
	w.Expect("zadd k 5 a", "STORED")
	w.Ahead = anHour
	w.Expect("zget k a", "5")
	w.Ahead = 0
	w.Expect("zincrbyp k -1 a 60", "4")
	w.Expect("zget k a", "4")
}

// What an order has come to is remembered until its caller has it, whatever the clock of its proxy says:
// another one, whose clock is right, folds the ranking before.
func TestOrderOfWrongClock(t *testing.T) {
	verbtest.OnBoth(t, theVerbs, func(t *testing.T, w *verbtest.World) {
		for _, w.Ahead = range []int64{anHour, -anHour, 0} {
			w.Put("k", "z=4:a ", 0, 0)
			w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
				switch op.Kind {
				case verbs.AppendIf:
					return verbs.Reply{Status: verbs.Exists}, true
				case verbs.Append, verbs.AppendSized:
					r := w.Do(t, op)
					var ranking Ranking
					ranking.Read(nil, []byte(w.Value("k")), w.Clock)
					w.Put("k", string(ranking.AppendLog(nil, nil)), 0, 0)
					return r, true
				}
				return verbs.Reply{}, false
			}
			w.Expect("zincrby k 1 a", "5")
		}
	})
}
