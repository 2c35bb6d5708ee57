package rankings

import (
	"fmt"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/views"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// Calls that wait for each other while their ranking is evicted create it anew together, and each
// makes its increments after those before it.
func TestSumsOfRankingEvictedMeanwhile(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	w.Kept = views.Eager([]byte("k"))
	w.Expect("zadd k 5 a", "STORED")
	w.Expect("zget k a", "5")
	var callers []*verbtest.Caller
	for range 4 {
		c := verbtest.NewCaller(t, w, theVerbs)
		c.Start("zincrby k 1 a 2 b")
		callers = append(callers, c)
	}
	w.Evict("k")
	finish := func(c *verbtest.Caller) {
		for c.Busy() {
			c.CarryOut(0, func(op verbs.Op) verbs.Reply { return w.Do(t, op) })
		}
	}
	for i, c := range callers {
		finish(c)
		if want := [...]string{"1 2\r\n", "2 4\r\n", "3 6\r\n", "4 8\r\n"}[i]; c.Answer != want {
			t.Errorf("call %d answers %q, expected %q", i, c.Answer, want)
		}
	}
	w.Expect("zget k a b", "4 8")
}

// A ranking can be created by more increments than fit an item.
func TestRankingIsCreatedByManySums(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	w.Limit = 700
	request, sums := "zincrby k", ""
	for n := range 150 {
		request += fmt.Sprintf(" %d m%d", n, n)
		sums += fmt.Sprintf(" %d", n)
	}
	w.Expect(request, sums[1:])
	w.Expect("zcard k", "150")
}

// Sums that are too long to append also succeed where memory is scarce: what a call has waited for it keeps.
func TestLongSumsInLittleMemory(t *testing.T) {
	for _, log := range []string{"", "z=1:a z=2:b "} {
		onBoth(t, func(t *testing.T, w *verbtest.World) {
			w.Settings.StructureItemSize = 12
			w.Client.Routine.Inside().Pace.Slice = 1
			w.Client.Narrow = func() bool { return true }
			if log != "" {
				w.Put("k", log, 0, 0)
			}
			w.Expect("zincrbyp k 3 member-of-some-length 9", "3")
			w.Expect("zincrby k 4 member-of-some-length 5 another-member", "7 5")
		})
	}
}
