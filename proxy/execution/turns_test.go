package execution

import "testing"

// In one turn go on as many of the verbs that were put off as have read little together, or one
// that does long work.
func TestPausedVerbsGoOn(t *testing.T) {
	for _, test := range []struct {
		read []int // bytes, of verbs in the order in which they wait; 0 for long work
		want int   // of these go on
	}{
		{nil, 0},
		{[]int{0, 0}, 1},
		{[]int{0, 1}, 1},
		{[]int{1, 0}, 1},
		{[]int{10 * readAtOnce, 1}, 1},
		{[]int{readAtOnce / 4, readAtOnce / 4, readAtOnce / 2, 1}, 3},
		{[]int{1, 1, readAtOnce, 1}, 2},
	} {
		turns, went := turns{}, 0
		for _, n := range test.read {
			r := &Execution{stage: putOff, trip: trip{copied: n}}
			if n == 0 {
				r.stage = paused
			}
			turns.queue.add(&line{}, r)
		}
		for turns.goesOn() {
			if went++; turns.take().stage == paused {
				break
			}
		}
		if went != test.want {
			t.Errorf("%v: %d go on, expected %d", test.read, went, test.want)
		}
	}
}
