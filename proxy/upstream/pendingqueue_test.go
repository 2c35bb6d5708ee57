package upstream

import (
	"math/rand/v2"
	"testing"
)

func TestPendingQueueWrapsAndGrows(t *testing.T) {
	var f pendingQueue
	next, expect := uint32(0), uint32(0)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 10000 {
		if f.len() == 0 || rng.IntN(100) < 52 {
			f.push(&Pending{Slot: next})
			next++
			continue
		}
		var p Pending
		if f.pop(&p); p.Slot != expect {
			t.Fatalf("popped %d, expected %d", p.Slot, expect)
		}
		expect++
	}
}
