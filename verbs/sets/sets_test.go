package sets

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

func TestSetBasics(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect("scard k", "NOT_FOUND")
		w.Expect("sismember k a", "NOT_FOUND")
		w.Expect("smembers k", "END")
		w.Expect("sadd k a b c", "STORED")
		w.Holds("k", "+a +b +c ")
		w.Expect("srem k b", "STORED")
		w.Holds("k", "+a +b +c -b ")
		w.Expect("smembers k", "VALUE k 0 3", "a c", "END")
		w.Expect("sismember k a b c d", "1 0 1 0")
		w.Expect("sismember k b", "0")
		w.Expect("scard k", "2")
		w.Holds("k", "+a +b +c -b ")
	})
}

func TestSetOrder(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect("sadd k c a b", "STORED")
		w.Expect("sadd k a", "STORED") // it is a member already and keeps its place
		w.Expect("smembers k", "VALUE k 0 5", "c a b", "END")
		w.Expect("srem k c", "STORED")
		w.Expect("sadd k c", "STORED")
		w.Expect("smembers k", "VALUE k 0 5", "a b c", "END")
		w.Expect("srem k a b c", "STORED")
		w.Expect("sadd k b c a", "STORED")
		w.Expect("smembers k", "VALUE k 0 5", "b c a", "END")
	})
}

func TestSetRepeatsInOneCommand(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect("sadd k a b a a", "STORED")
		w.Expect("smembers k", "VALUE k 0 3", "a b", "END")
		w.Expect("scard k", "2")
		w.Expect("sismember k a a x a", "1 1 0 1")
		w.Expect("srem k a a", "STORED")
		w.Expect("scard k", "1")
		w.Expect("smembers k k", "VALUE k 0 1", "b", "VALUE k 0 1", "b", "END")
	})
}

func TestSetEmptied(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect("sadd k a", "STORED")
		w.Expect("srem k a", "STORED")
		w.Expect("scard k", "0")
		w.Expect("smembers k", "VALUE k 0 0", "", "END")
		w.Expect("sismember k a", "0")
		w.Expect("srem k a", "STORED")

		w.Settings.CompactDirtiness = 0
		w.Expect("scard k", "0")
		w.Holds("k", "")
		w.Expect("scard k", "0")
		w.Expect("smembers k", "VALUE k 0 0", "", "END")
		w.Expect("srem k a", "STORED")
		w.Expect("sadd k b", "STORED")
		w.Expect("smembers k", "VALUE k 0 1", "b", "END")
	})
}

func TestRemovingFromNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect("srem k a", "NOT_FOUND")
		w.Holds("k", "none")
		w.Expect("sadd k a", "STORED")
		w.Expect("srem k b", "STORED")
		w.Expect("smembers k", "VALUE k 0 1", "a", "END")
		w.Evict("k")
		w.Expect("srem k a", "NOT_FOUND")
	})
}

// Members and keys are opaque: nothing in them is mistaken for a sign or a word of the
// protocol.
func TestSetOddMembers(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		long := strings.Repeat("m", 250)
		w.Expect("sadd k + - +a -a | END \xff\x80 "+long, "STORED")
		w.Expect("scard k", "8")
		w.Expect("srem k -a +", "STORED")
		members := "- +a | END \xff\x80 " + long
		w.Expect("smembers k", fmt.Sprintf("VALUE k 0 %d", len(members)), members, "END")
		w.Expect("sismember k a +a -a", "0 1 0")
		key := strings.Repeat("k", 250)
		w.Expect("sadd "+key+" noreply a", "STORED")
		w.Expect("smembers "+key, "VALUE "+key+" 0 9", "noreply a", "END")
	})
}

// Several spaces may separate words and follow the last one.
func TestSetSpacesInRequests(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect("sadd  k  a   b  ", "STORED")
		w.Holds("k", "+a +b ")
		w.Expect("sismember k   a  x ", "1 0")
		w.Expect("smembers   k   none  ", "VALUE k 0 3", "a b", "END")
	})
}

func TestSetsWrittenByHand(t *testing.T) {
	w := newWorld(t)
	for _, test := range []struct{ log, members string }{
		{"", ""},
		{"   ", ""},
		{" \t\r\n\v\f", ""},
		{"+a", "a"},
		{"+a +b", "a b"},
		{"  +a   +b  ", "a b"},
		{"+a\t+b\t-a\t", "b"},
		{"+a\r\n+b\r\n", "a b"},
		{"+a\n\v\f+b -b", "a"},
		{"-a +a", "a"},
		{"-a", ""},
		{"-a -a +b", "b"},
		{"++ +- --", "+"},
		{"+a\x00b +c", "a\x00b c"},
		{"+\x85 +\xa0", "\x85 \xa0"}, // not white space in ASCII
	} {
		w.Put("k", test.log, 0, 0)
		w.Expect("smembers k", fmt.Sprintf("VALUE k 0 %d", len(test.members)), test.members, "END")
		w.Expect("scard k", fmt.Sprint(len(strings.Fields(test.members))))
	}
}

func TestNoSet(t *testing.T) {
	w := newWorld(t)
	w.Expect("sadd good a", "STORED")
	for _, value := range []string{"x", "hello", "|x", "+a |x", "+a x +b", "+", "-", "+a + +b", "+a -", "+a -b+", "\x00", "a+"} {
		w.Put("k", value, 0, 0)
		const want = "CLIENT_ERROR k does not hold a set"
		if value == "+a -b+" { // one token
			w.Expect("smembers k", "VALUE k 0 1", "a", "END")
			continue
		}
		w.Expect("smembers k", want)
		w.Expect("smembers good k", want)
		w.Expect("smembers k good", want)
		w.Expect("sismember k a", want)
		w.Expect("scard k", want)
		w.Holds("k", value)
	}
}

func TestManySetsAtOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		var keys, want []string
		for i := range 3*setsAtOnce + 5 {
			key := fmt.Sprintf("k%d", i)
			keys = append(keys, key)
			if i%3 == 1 {
				continue
			}
			w.Expect(fmt.Sprintf("sadd %s m%d x", key, i), "STORED")
			members := fmt.Sprintf("m%d x", i)
			want = append(want, fmt.Sprintf("VALUE %s 0 %d", key, len(members)), members)
		}
		w.Expect("smembers "+strings.Join(keys, " "), append(want, "END")...)
		w.Cost(len(keys))
		if trips := w.Client.Routine.Account().Trips; trips != 4 {
			t.Errorf("%d round trips", trips)
		}
		w.Expect("smembers "+strings.Join(keys[:setsAtOnce], " "), append(want[:22:22], "END")...)
		w.Expect("smembers none nor this", "END")
	})
}

func TestTripsOfSets(t *testing.T) {
	w := newWorld(t)
	for _, step := range []struct {
		old               bool
		request, answer   string
		operations, trips int
	}{
		{false, "sadd k a", "STORED", 1, 1},
		{false, "sadd k b", "STORED", 1, 1},
		{false, "srem k b", "STORED", 1, 1},
		{false, "srem none b", "NOT_FOUND", 3, 2},
		{false, "scard k", "1", 1, 1},
		{true, "sadd k c", "STORED", 2, 1},
		{true, "sadd l c", "STORED", 3, 2},
		{true, "srem k c", "STORED", 2, 1},
	} {
		w.Old = step.old
		w.Expect(step.request, step.answer)
		w.Cost(step.operations)
		if trips := w.Client.Routine.Account().Trips; trips != step.trips {
			t.Errorf("%q: %d round trips", step.request, trips)
		}
	}
}

// An answer that would be too long is refused.
func TestSetsTooLong(t *testing.T) {
	verbtest.Long(t)
	w := newWorld(t)
	w.Direct = true
	w.Put("k", "+"+strings.Repeat("x", 15<<20)+" ", 0, 0)
	w.Expect("smembers k k k", "SERVER_ERROR the answer is longer than 32 MB; ask for less at once")
}
