package lists

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// While a call settles the head of a list, the others of its event loop that make the head longer leave that to it. The next one
// after that settles again.
func TestOneCallTidiesAtATime(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	w.Settings = verbs.Options{StructureItemSize: 2000}
	do := func(op verbs.Op) verbs.Reply { return w.Do(t, op) }
	pushed := 0
	// push has a call push so many elements, and returns the call when it is answered.
	push := func(n int) *verbtest.Caller {
		c := verbtest.NewCaller(t, w, theVerbs)
		c.Start("rpush k" + verbtest.Names(n, " ", strings.Repeat("x", 90)))
		for c.Answered < 0 {
			c.CarryOut(0, do)
		}
		pushed += n
		return c
	}
	push(15)
	for round := range 3 {
		first := push(10)
		if !first.Busy() {
			t.Fatalf("round %d: a head of %d bytes is not settled", round, len(w.Value("k")))
		}
		for range 3 { // each would cross the next sixteenth, and at last twice the limit
			if next := push(5); next.Busy() {
				t.Errorf("round %d: another call settles a head of %d bytes too", round, len(w.Value("k")))
			}
		}
		for first.Busy() {
			first.CarryOut(0, do)
		}
		if n := len(w.Value("k")); n > 1800 {
			t.Errorf("round %d: the head has %d bytes when it was settled", round, n)
		}
		push(10)
	}
	w.Expect("llen k", fmt.Sprint(pushed))
}
