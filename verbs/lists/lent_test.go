package lists

import (
	"fmt"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/views"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// watched returns a proxy that has a view of the list a b c d e f g h i j.
func watched(t *testing.T) *verbtest.World {
	w := verbtest.NewWorld(t, theVerbs)
	w.Kept = views.Eager([]byte("k"))
	w.Expect("rpush k a b c d e f g h i j", "STORED")
	for range 2 { // the second one keeps a view
		w.Expect("llen k", "10")
	}
	return w
}

// slowly returns a client of the proxy whose work pauses after two tokens.
func slowly(t *testing.T, w *verbtest.World) *verbtest.Caller {
	c := verbtest.NewCaller(t, w, theVerbs)
	c.Routine.Inside().Pace.Slice = 2
	return c
}

// whileBusy makes a request of c. After so many of its operations, or when it is over, it calls between, and then makes it end.
// It reports whether there were operations left.
func whileBusy(c *verbtest.Caller, request string, steps int, do func(verbs.Op) verbs.Reply, between func()) (busy bool) {
	c.Start(request)
	for range steps {
		if c.Busy() {
			c.CarryOut(0, do)
		}
	}
	busy = c.Busy()
	between()
	for c.Busy() {
		c.CarryOut(0, do)
	}
	return busy
}

// A pop brings the view that it has decided on up to date only if nobody reads it meanwhile: a reader that pauses gets the list
// as it was when it was asked for.
func TestReaderKeepsItsView(t *testing.T) {
	for reading, want := range map[string]string{
		"lrange k 0 -1":  "VALUE k 0 19\r\na b c d e f g h i j\r\nEND\r\n",
		"lrange k -3 -1": "VALUE k 0 5\r\nh i j\r\nEND\r\n",
		"llen k":         "10\r\n",
	} {
		for steps, busy := 1, true; busy; steps++ {
			w := watched(t)
			do := func(op verbs.Op) verbs.Reply { return w.Do(t, op) }
			pop, read := verbtest.NewCaller(t, w, theVerbs), slowly(t, w)
			pop.Start("lpop k 2")
			busy = whileBusy(read, reading, steps, do, func() { pop.CarryOut(0, do) })
			if read.Answer != want {
				t.Errorf("%q: %q instead of %q, with a pop after %d steps", reading, read.Answer, want, steps)
			}
		}
	}
}

// A head is settled by the fold of its view, which nobody changes meanwhile.
func TestSettlingKeepsItsView(t *testing.T) {
	settled := 0
	for steps, busy := 1, true; busy; steps++ {
		w := watched(t)
		w.Settings.StructureItemSize = 40
		other := verbtest.NewWorld(t, theVerbs) // another proxy, which settles nothing
		other.Model = w.Model
		do := func(op verbs.Op) verbs.Reply {
			if op.Kind == verbs.Swap {
				settled++
			}
			return w.Do(t, op)
		}
		want := "a b c d e f g h i j k"
		busy = whileBusy(slowly(t, w), "rpush k k", steps, do, func() {
			other.Expect("lpop k 4", "VALUE k 0 7\r\na b c d", "END")
			want = want[len("a b c d "):]
			w.Expect("lrange k 0 -1", fmt.Sprintf("VALUE k 0 %d\r\n%s", len(want), want), "END")
		})
		for _, w := range []*verbtest.World{w, other} {
			w.Expect("lrange k 0 -1", fmt.Sprintf("VALUE k 0 %d\r\n%s", len(want), want), "END")
		}
		if t.Failed() {
			t.Fatalf("after %d steps: %s", steps, w.Value("k"))
		}
	}
	if settled < 10 {
		t.Errorf("the head was settled %d times", settled)
	}
}
