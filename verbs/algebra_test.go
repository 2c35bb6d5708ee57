package verbs

import (
	"fmt"
	"strings"
	"testing"
)

func TestAlgebra(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.expect("sadd a c d b e", "STORED")
		w.expect("sadd b e x c", "STORED")
		w.expect("sadd c y c a e", "STORED")
		w.expect("sadd empty a", "STORED")
		w.expect("srem empty a", "STORED")
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
			w.expect(test.request, fmt.Sprintf("VALUE %s 0 %d", first, len(test.want)), test.want, "END")
			w.cost(strings.Count(test.request, " "))
			if trips := w.client.routine.Account().Trips; trips != 1 {
				t.Errorf("%q: %d round trips", test.request, trips)
			}
		}
		w.put("x", "no set", 0, 0)
		w.expect("sunion a x", "CLIENT_ERROR x does not hold a set")
		w.expect("sinter x a", "CLIENT_ERROR x does not hold a set")
		w.expect("sdiff"+strings.Repeat(" a", maxOperands+1), "CLIENT_ERROR too many keys: at most 64 sets at once")
		w.expect("sdiff"+strings.Repeat(" a", maxOperands), "VALUE a 0 0", "", "END")
	})
}

// Large sets are read all at once too, and one that has lost a part is empty.
func TestAlgebraOfLargeSets(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		all := w.large()
		w.expect("sadd l m7 x m3", "STORED")
		w.expect("sinter l k", "VALUE l 0 5", "m7 m3", "END")
		if trips := w.client.routine.Account().Trips; trips != 2 {
			t.Errorf("%d round trips", trips)
		}
		w.expect("sinter k l", "VALUE k 0 5", "m3 m7", "END")
		w.expect("sunion k l", fmt.Sprintf("VALUE k 0 %d", len(all)+2), all+" x", "END")
		w.expect("sdiff l k", "VALUE l 0 1", "x", "END")
		w.evict(w.partKeys("k")[1])
		w.expect("sinter l k", "VALUE l 0 0", "", "END")
		w.holds("k", "none")
	})
}

func TestAlgebraCompacts(t *testing.T) {
	w := newWorld(t)
	w.options.CompactDirtiness = 1
	w.put("k", "+a -a +a ", 0, 0)
	w.put("l", "+b +a -b -b", 0, 0)
	w.expect("sunion k l", "VALUE k 0 1", "a", "END")
	w.holds("k", "+a ")
	w.holds("l", "+a ")
}
