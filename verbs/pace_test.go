package verbs

import (
	"bytes"
	"runtime"
	"sync/atomic"
	"testing"
)

// Growing a large slice can be preempted: a garbage collection, which stops all
// goroutines, begins and ends meanwhile.
func TestGettingMemoryIsInterrupted(t *testing.T) {
	const size = 64 << 20
	before := bytes.Repeat([]byte("x"), size)
	var step atomic.Int64 // odd while memory is allocated; negative at the end
	meanwhile, done := 0, make(chan bool)
	go func() {
		defer close(done)
		for from := step.Load(); from >= 0; from = step.Load() {
			runtime.GC()
			if from%2 == 1 && step.Load() == from {
				meanwhile++
			}
		}
	}()
	for range 4 {
		step.Add(1)
		after := Grow(&Pace{}, before, size)
		step.Add(1)
		if len(after) != size || cap(after) < 2*size || !bytes.Equal(after, before) {
			t.Fatalf("%d bytes of %d, or others than before", len(after), cap(after))
		}
	}
	step.Store(-1)
	<-done
	if meanwhile == 0 {
		t.Error("no garbage was collected meanwhile")
	}
}

// Looking up words in a large structure takes as long as processing several times as many tokens. So
// fewer are looked up before others have a turn.
func TestLookupsPauseSooner(t *testing.T) {
	const slice, words = 800, 2000
	for _, test := range []struct{ tokens, want int }{{slice, slice}, {slice + 1, slice / lookupTokens}} {
		most, since, all := 0, 0, 0
		c := &Call{Pace: Pace{Slice: slice, Pause: func() { since = 0 }}}
		c.EachWordLookup(bytes.Repeat([]byte("w "), words), test.tokens, func([]byte) {
			since++
			all++
			most = max(most, since)
		})
		if most != test.want || all != words {
			t.Errorf("%d tokens: %d lookups, at most %d without a pause, not %d", test.tokens, all, most, test.want)
		}
	}
}
