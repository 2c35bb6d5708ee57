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
