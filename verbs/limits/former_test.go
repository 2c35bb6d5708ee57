package limits

import "testing"

// What a limit has counted at a former place counts until it is free again, also if that place becomes the limit's own once more.
func TestFormerCountersCount(t *testing.T) {
	w := newWorld(t)
	w.Clock = 1_700_000_000_000 // a part begins
	w.Expect("limit k 6 16 2", "1 4 0")
	pass(w, 1000)
	w.Expect("limit k 6 16 2", "1 2 0")
	w.Leave()
	w.Expect("limit k 6 16 0", "1 2 0")
	w.Expect("limit k 6 16", "1 1 0")
	w.Model, w.Former = w.Former, w.Model
	w.Clock = w.Former.Clock
	w.Expect("limit k 6 16", "1 0 0")
	w.Expect("limit k 6 16", "0 0 16000") // the first two are free then
	w.Leave()
	w.Expect("limit k 6 16 0", "1 1 0") // what was counted at the other place is lost
	pass(w, 15_999)
	w.Expect("limit k 6 16 0", "1 1 0")
	pass(w, 1)
	w.Expect("limit k 6 16 0", "1 3 0")
	pass(w, 1000)
	w.Expect("limit k 6 16 0", "1 6 0")
}

// An item at a former place that is no counter is reported.
func TestNoCounterAtFormerPlace(t *testing.T) {
	w := newWorld(t)
	w.Clock = 1_700_000_000_000 // a part begins
	w.Expect("limit k 6 16", "1 5 0")
	for key := range w.Items {
		w.Put(key, "x", 0, 60)
	}
	w.Leave()
	w.Expect("limit k 6 16 0", "CLIENT_ERROR one of the counters of k, k:limit:16:…, holds no number")
}
