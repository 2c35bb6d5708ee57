package sets

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

func TestAlgebra(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect("sadd a c d b e", "STORED")
		w.Expect("sadd b e x c", "STORED")
		w.Expect("sadd c y c a e", "STORED")
		w.Expect("sadd empty a", "STORED")
		w.Expect("srem empty a", "STORED")
		for _, test := range []struct{ request, want string }{
			{"sinter a b", "c e"},
			{"sinter b a", "e c"},
			{"sinter a b c", "c e"},
			{"sinter a a", "c d b e"},
			{"sinter a none", ""},
			{"sinter none a", ""},
			{"sinter a empty", ""},
			{"sunion a b", "c d b e x"},
			{"sunion b a c", "e x c d b y a"},
			{"sunion none b none", "e x c"},
			{"sunion none empty", ""},
			{"sdiff a b", "d b"},
			{"sdiff a b c", "d b"},
			{"sdiff c a b", "y a"},
			{"sdiff a a", ""},
			{"sdiff a none empty", "c d b e"},
			{"sdiff none a", ""},
		} {
			first := strings.Fields(test.request)[1]
			w.Expect(test.request, fmt.Sprintf("VALUE %s 0 %d", first, len(test.want)), test.want, "END")
			w.Cost(strings.Count(test.request, " "))
			if trips := w.Client.Routine.Account().Trips; trips != 1 {
				t.Errorf("%q: %d round trips", test.request, trips)
			}
		}
		w.Put("x", "no set", 0, 0)
		w.Expect("sunion a x", "CLIENT_ERROR x does not hold a set")
		w.Expect("sinter x a", "CLIENT_ERROR x does not hold a set")
		w.Expect("sdiff"+strings.Repeat(" a", maxOperands+1), "CLIENT_ERROR too many keys: at most 64 sets at once")
		w.Expect("sdiff"+strings.Repeat(" a", maxOperands), "VALUE a 0 0", "", "END")
	})
}

// Large sets are read all at once too, and one that has lost a part is empty.
func TestAlgebraOfLargeSets(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		all := large(w)
		w.Expect("sadd l m7 x m3", "STORED")
		w.Expect("sinter l k", "VALUE l 0 5", "m7 m3", "END")
		if trips := w.Client.Routine.Account().Trips; trips != 2 {
			t.Errorf("%d round trips", trips)
		}
		w.Expect("sinter k l", "VALUE k 0 5", "m3 m7", "END")
		w.Expect("sunion k l", fmt.Sprintf("VALUE k 0 %d", len(all)+2), all+" x", "END")
		w.Expect("sdiff l k", "VALUE l 0 1", "x", "END")
		w.Evict(partKeys(w, "k")[1])
		w.Expect("sinter l k", "VALUE l 0 0", "", "END")
		w.Holds("k", "none")
	})
}

func TestAlgebraCompacts(t *testing.T) {
	w := newWorld(t)
	w.Settings.CompactDirtiness = 1
	w.Put("k", "+a -a +a ", 0, 0)
	w.Put("l", "+b +a -b -b", 0, 0)
	w.Expect("sunion k l", "VALUE k 0 1", "a", "END")
	w.Holds("k", "+a ")
	w.Holds("l", "+a ")
}

// Each member of the first set is looked up in the others, which waits for
// memory if they are large. Others have a turn after few lookups.
func TestIntersectionsPause(t *testing.T) {
	const members, slice = 4000, 800
	log := []byte(verbtest.TenBytes(members))
	var set Set
	set.Read(nil, log, 0)
	pauses := 0
	call := &verbs.Call{Env: newWorld(t), Pace: verbs.Pace{Slice: slice, Pause: func() { pauses++ }}}
	kept := setCall{structure.EngineOf(call, &Kind)}.keepMembers(&set, []byte(verbtest.TenBytes(members)))
	if string(kept) != string(log) {
		t.Error("a set differs from what it has in common with itself")
	}
	if most := slice / 8; pauses < members/most-1 {
		t.Errorf("%d pauses in %d lookups", pauses, members)
	}
}
