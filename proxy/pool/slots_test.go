package pool

import (
	"testing"

	"github.com/memverbs/memverbs/proxy/admission"
)

// The guess of an item's size follows the sizes of items that verbs have read.
func TestGuessOfWhatVerbsRead(t *testing.T) {
	var s Slots
	if s.Guess() != firstReading {
		t.Errorf("before any: %d bytes", s.Guess())
	}
	if s.Learn(500_000); s.Guess() != 500_000 {
		t.Errorf("after a large one: %d bytes", s.Guess())
	}
	for range 100 {
		s.Learn(100)
	}
	if s.Guess() != leastReading {
		t.Errorf("after many small ones: %d bytes", s.Guess())
	}
}

// No verb begins while the limit of running verbs, or of the bytes they read, is
// reached.
func TestSlotsAreLimited(t *testing.T) {
	for _, test := range []struct {
		running, reading int
		want             bool
	}{
		{0, 0, true}, {9, MaxReading - 1, true}, {10, 0, false}, {0, MaxReading, false},
	} {
		s := Slots{Most: 10, Running: test.running, Reading: test.reading}
		if got := s.Has(nil); got != test.want {
			t.Errorf("with %d verbs that read %d bytes: %v", test.running, test.reading, got)
		}
	}
	for _, test := range []struct {
		running, reading int
		light, want      bool
	}{
		{10, 0, false, false}, {10, 0, true, true}, {19, 2*MaxReading - 1, true, true}, {20, 0, true, false}, {0, 2 * MaxReading, true, false},
	} {
		s := Slots{Most: 10, Running: test.running, Reading: test.reading}
		s.Init(&admission.Queues{}, &s)
		if got := s.Admits(&admission.Waiter{Light: test.light}); got != test.want {
			t.Errorf("with %d verbs that read %d bytes, a client that has none (%v): %v", test.running, test.reading, test.light, got)
		}
	}
	if few, many := MostVerbs(1, 1), MostVerbs(64, 1000); few != maxVerbs || many != leastVerbs {
		t.Errorf("%d verbs with one upstream, %d with many", few, many)
	}
}
