//go:build linux

package load

import "testing"

func TestQueueKeepsOrder(t *testing.T) {
	var q queue
	in, out := 0, 0
	for range 50 { // grows, and goes round while it holds some
		for range 7 {
			q.push(in)
			in++
		}
		for range 5 {
			if got := q.pop(); got != out {
				t.Fatalf("%d instead of %d", got, out)
			}
			out++
		}
	}
	for ; !q.empty(); out++ {
		if got := q.pop(); got != out {
			t.Fatalf("%d instead of %d", got, out)
		}
	}
	if in != out {
		t.Errorf("%d went in and %d came out", in, out)
	}
}
