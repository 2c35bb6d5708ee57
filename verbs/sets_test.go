package verbs

import (
	"fmt"
	"strings"
	"testing"
)

func TestSetBasics(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.expect("scard k", "NOT_FOUND")
		w.expect("sismember k a", "NOT_FOUND")
		w.expect("smembers k", "END")
		w.expect("sadd k a b c", "STORED")
		w.holds("k", "+a +b +c ")
		w.expect("srem k b", "STORED")
		w.holds("k", "+a +b +c -b ")
		w.expect("smembers k", "VALUE k 0 3", "a c", "END")
		w.expect("sismember k a b c d", "1 0 1 0")
		w.expect("sismember k b", "0")
		w.expect("scard k", "2")
		w.holds("k", "+a +b +c -b ")
	})
}

func TestSetOrder(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.expect("sadd k c a b", "STORED")
		w.expect("sadd k a", "STORED") // it is there, and stays where it is
		w.expect("smembers k", "VALUE k 0 5", "c a b", "END")
		w.expect("srem k c", "STORED")
		w.expect("sadd k c", "STORED")
		w.expect("smembers k", "VALUE k 0 5", "a b c", "END")
		w.expect("srem k a b c", "STORED")
		w.expect("sadd k b c a", "STORED")
		w.expect("smembers k", "VALUE k 0 5", "b c a", "END")
	})
}

func TestSetRepeatsInOneCommand(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.expect("sadd k a b a a", "STORED")
		w.expect("smembers k", "VALUE k 0 3", "a b", "END")
		w.expect("scard k", "2")
		w.expect("sismember k a a x a", "1 1 0 1")
		w.expect("srem k a a", "STORED")
		w.expect("scard k", "1")
		w.expect("smembers k k", "VALUE k 0 1", "b", "VALUE k 0 1", "b", "END")
	})
}

func TestSetEmptied(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.expect("sadd k a", "STORED")
		w.expect("srem k a", "STORED")
		w.expect("scard k", "0")
		w.expect("smembers k", "VALUE k 0 0", "", "END")
		w.expect("sismember k a", "0")
		w.expect("srem k a", "STORED")

		w.options.CompactDirtiness = 0
		w.expect("scard k", "0")
		w.holds("k", "")
		w.expect("scard k", "0")
		w.expect("smembers k", "VALUE k 0 0", "", "END")
		w.expect("srem k a", "STORED")
		w.expect("sadd k b", "STORED")
		w.expect("smembers k", "VALUE k 0 1", "b", "END")
	})
}

func TestRemovingFromNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.expect("srem k a", "NOT_FOUND")
		w.holds("k", "none")
		w.expect("sadd k a", "STORED")
		w.expect("srem k b", "STORED")
		w.expect("smembers k", "VALUE k 0 1", "a", "END")
		w.evict("k")
		w.expect("srem k a", "NOT_FOUND")
	})
}

// Members and keys are opaque: nothing in them is read as a sign or a word of
// the protocol.
func TestSetOddMembers(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		long := strings.Repeat("m", 250)
		w.expect("sadd k + - +a -a | END \xff\x80 "+long, "STORED")
		w.expect("scard k", "8")
		w.expect("srem k -a +", "STORED")
		members := "- +a | END \xff\x80 " + long
		w.expect("smembers k", fmt.Sprintf("VALUE k 0 %d", len(members)), members, "END")
		w.expect("sismember k a +a -a", "0 1 0")
		key := strings.Repeat("k", 250)
		w.expect("sadd "+key+" noreply a", "STORED")
		w.expect("smembers "+key, "VALUE "+key+" 0 9", "noreply a", "END")
	})
}

// Spaces between words may be many, and may follow the last.
func TestSetSpacesInRequests(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.expect("sadd  k  a   b  ", "STORED")
		w.holds("k", "+a +b ")
		w.expect("sismember k   a  x ", "1 0")
		w.expect("smembers   k   none  ", "VALUE k 0 3", "a b", "END")
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
		{"+\x85 +\xa0", "\x85 \xa0"}, // no white space in ASCII
	} {
		w.put("k", test.log, 0, 0)
		w.expect("smembers k", fmt.Sprintf("VALUE k 0 %d", len(test.members)), test.members, "END")
		w.expect("scard k", fmt.Sprint(len(strings.Fields(test.members))))
	}
}

func TestNoSet(t *testing.T) {
	w := newWorld(t)
	w.expect("sadd good a", "STORED")
	for _, value := range []string{"x", "hello", "|x", "+a |x", "+a x +b", "+", "-", "+a + +b", "+a -", "+a -b+", "\x00", "a+"} {
		w.put("k", value, 0, 0)
		const want = "CLIENT_ERROR k does not hold a set"
		if value == "+a -b+" { // one token
			w.expect("smembers k", "VALUE k 0 1", "a", "END")
			continue
		}
		w.expect("smembers k", want)
		w.expect("smembers good k", want)
		w.expect("smembers k good", want)
		w.expect("sismember k a", want)
		w.expect("scard k", want)
		w.holds("k", value)
	}
}

func TestManySetsAtOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		var keys, want []string
		for i := range 3*setsAtOnce + 5 {
			key := fmt.Sprintf("k%d", i)
			keys = append(keys, key)
			if i%3 == 1 {
				continue
			}
			w.expect(fmt.Sprintf("sadd %s m%d x", key, i), "STORED")
			members := fmt.Sprintf("m%d x", i)
			want = append(want, fmt.Sprintf("VALUE %s 0 %d", key, len(members)), members)
		}
		w.expect("smembers "+strings.Join(keys, " "), append(want, "END")...)
		w.cost(len(keys))
		if trips := w.client.routine.Account().Trips; trips != 4 {
			t.Errorf("%d round trips", trips)
		}
		w.expect("smembers "+strings.Join(keys[:setsAtOnce], " "), append(want[:22:22], "END")...)
		w.expect("smembers none nor this", "END")
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
		w.old = step.old
		w.expect(step.request, step.answer)
		w.cost(step.operations)
		if trips := w.client.routine.Account().Trips; trips != step.trips {
			t.Errorf("%q: %d round trips", step.request, trips)
		}
	}
}

// An answer that would take too much memory is refused.
func TestSetsTooLong(t *testing.T) {
	w := newWorld(t)
	w.direct = true
	w.put("k", "+"+strings.Repeat("x", 15<<20)+" ", 0, 0)
	w.expect("smembers k k k", "SERVER_ERROR the answer is longer than 32 MB; ask for less at once")
}
