package lists

import (
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// A call that decides for others as well says so, so that it goes on if its client goes.
func TestLeaderServesOthers(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	w.Expect("rpush k a b c", "STORED")
	var pops []*verbtest.Caller
	for range 3 {
		c := verbtest.NewCaller(t, w, theVerbs)
		c.Start("lpop k")
		pops = append(pops, c)
	}
	serves := map[*verbtest.Caller]bool{}
	for _, c := range pops {
		for c.Busy() && !c.Waits() {
			c.CarryOut(0, func(op verbs.Op) verbs.Reply {
				serves[c] = serves[c] || c.Routine.Serves()
				return w.Do(t, op)
			})
		}
	}
	if serves[pops[0]] || !serves[pops[1]] || serves[pops[2]] {
		t.Errorf("the first decides alone: %v; the second for the third too: %v; which leads: %v",
			!serves[pops[0]], serves[pops[1]], serves[pops[2]])
	}
	for _, c := range pops {
		if c.Answer == "" || c.Routine.Serves() {
			t.Errorf("%q, and it serves others still: %v", c.Answer, c.Routine.Serves())
		}
	}
}
