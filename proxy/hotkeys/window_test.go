package hotkeys

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// offer passes a request for keys to the window, as an event loop does.
func offer(w *Window, now int64, keys []byte, n int) {
	if !w.Skip(n) {
		w.TakeWords(now, keys)
	}
}

func top(w *Window, now int64) ([]Key, uint64) {
	var c Counts
	w.AddTo(&c, now)
	return c.Top(10), c.Total
}

// Keys that are asked for more often than others are found among hundreds of thousands that are
// asked for once, with about their share, whether keys come one by one or many in a request.
func TestHotKeysAreFound(t *testing.T) {
	for _, many := range []int{1, 100} {
		w := NewWindow()
		const requests = 1_600_000 // so that 0.02 of them is five standard deviations of the sample
		var keys []byte
		n := 0
		for i := range requests {
			switch r := rand.Float64(); {
			case r < 0.20:
				keys = append(keys, "hottest "...)
			case r < 0.25:
				keys = append(keys, "hot "...)
			default:
				keys = fmt.Appendf(keys, "cold%d ", i)
			}
			if n++; n == many {
				offer(w, int64(i)*25, keys, n) // for 40 seconds
				keys, n = keys[:0], 0
			}
		}
		keysFound, total := top(w, requests*25)
		if math.Abs(float64(total)/requests-1) > 0.05 {
			t.Errorf("%d keys at once: %d of %d are counted", many, total, requests)
		}
		if len(keysFound) < 2 || keysFound[0].Key != "hottest" || keysFound[1].Key != "hot" ||
			math.Abs(keysFound[0].Share-0.20) > 0.02 || math.Abs(keysFound[1].Share-0.05) > 0.02 {
			t.Errorf("%d keys at once: %v", many, keysFound)
		}
		if len(keysFound) > 2 && keysFound[2].Share > 0.001 {
			t.Errorf("%d keys at once: a cold key has a share: %v", many, keysFound)
		}
	}
}

// What is older than a minute is forgotten, also if nothing was asked for since.
func TestWindowForgets(t *testing.T) {
	const second = 1_000_000
	w := NewWindow()
	for range 1000 {
		offer(w, 5*second, []byte("old"), 1)
	}
	for range 1000 {
		offer(w, 34*second, []byte("new"), 1)
	}
	for _, test := range []struct {
		at   int64
		want []string
	}{
		{34, []string{"new", "old"}}, {69, []string{"new", "old"}}, {70, []string{"new"}}, {99, []string{"new"}}, {100, nil}, {1_000_000, nil},
	} {
		keys, total := top(w, test.at*second)
		found := map[string]bool{}
		for _, k := range keys {
			found[k.Key] = true
		}
		if len(found) != len(test.want) || (total == 0) != (len(test.want) == 0) {
			t.Errorf("after %d s: %v of %d, expected %v", test.at, keys, total, test.want)
		}
		for _, want := range test.want {
			if !found[want] {
				t.Errorf("after %d s: %v, expected %v", test.at, keys, test.want)
			}
		}
	}
}

// No key that is asked for at a regular interval escapes, or is counted each time.
func TestSampleHasNoRhythm(t *testing.T) {
	w := NewWindow()
	// A share's standard deviation is 0.003 among so many.
	for i := range 1_280_000 {
		offer(w, 0, []byte([]string{"a", "b", "c", "d", "e", "f", "g", "h"}[i%8]), 1)
	}
	keys, _ := top(w, 0)
	if len(keys) != 8 || keys[0].Share > 0.15 || keys[7].Share < 0.10 {
		t.Errorf("%v", keys)
	}
}

// No request allocates, once the window has had keys as long as those that come.
func TestNothingIsAllocated(t *testing.T) {
	w := NewWindow()
	keys := make([][]byte, 4096)
	for i := range keys {
		keys[i] = fmt.Appendf(nil, "key:%0200d", i)
	}
	n := int64(0)
	round := func() {
		for _, key := range keys {
			n++
			offer(w, n*1000, key, 1)
		}
	}
	for range 100 {
		round()
	}
	if allocated := testing.AllocsPerRun(20, round); allocated > 0 {
		t.Errorf("%v allocations", allocated)
	}
}

// A window takes no more memory than its keys can: however many there are.
func TestMemoryIsBounded(t *testing.T) {
	w := NewWindow()
	for i := range 200_000 {
		offer(w, int64(i)*500, fmt.Appendf(nil, "%0250d", i), 1)
	}
	size := 0
	for i := range w.sketches {
		for _, key := range w.sketches[i].keys {
			size += cap(key)
		}
	}
	if most := len(w.sketches) * Size * 256; size > most {
		t.Errorf("%d bytes, expected at most %d", size, most)
	}
}

func BenchmarkOffer(b *testing.B) {
	w := NewWindow()
	keys := make([][]byte, 1000)
	for i := range keys {
		keys[i] = fmt.Appendf(nil, "some:key:%d", i)
	}
	for i := range b.N {
		offer(w, int64(i), keys[i%len(keys)], 1)
	}
}
