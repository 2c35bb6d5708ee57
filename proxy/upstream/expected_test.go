package upstream

import "testing"

// The memory for one batch of large retrievals is kept for the next, so that no request
// allocates.
func TestExpectedIsKeptForTheNextBatch(t *testing.T) {
	const idle, asked, requests = 1 << 20, 1400, 100
	var e Expected
	batch := func() {
		for range requests {
			e.text = append(e.text, make([]byte, asked)...)
		}
		for range requests {
			e.drop(asked, idle)
		}
	}
	batch()
	if n := testing.AllocsPerRun(10, batch); n > 0 {
		t.Errorf("%v allocations for a batch of %d requests", n, requests)
	}
}

func TestIdleExpectedIsBounded(t *testing.T) {
	const idle, asked = 64 << 10, 1 << 20
	e := Expected{text: make([]byte, asked)}
	e.drop(asked-1, idle)
	e.drop(1, idle)
	if cap(e.text) > idle {
		t.Errorf("%d bytes are kept, not %d at most", cap(e.text), idle)
	}
}
