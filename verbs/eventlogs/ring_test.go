package eventlogs

import (
	"math"
	"testing"

	"github.com/memverbs/memverbs/verbs"
)

func TestChunks(t *testing.T) {
	o := ring{LogChunk: 10_000, LogChunks: 10}
	for _, test := range []struct {
		t, chunk, oldest int64
		key              string
	}{
		{0, 0, -90_000, "l:0"},
		{9_999, 0, -90_000, "l:0"},
		{10_000, 1, -80_000, "l:1"},
		{99_999, 9, 0, "l:9"},
		{100_000, 10, 10_000, "l:0"},
		{-1, -1, -100_000, "l:9"},
		{-10_000, -1, -100_000, "l:9"},
		{-10_001, -2, -110_000, "l:8"},
		{-100_000, -10, -190_000, "l:0"},
		{1_700_000_123_456, 170_000_012, 1_700_000_030_000, "l:2"},
	} {
		if got := o.chunkOf(test.t); got != test.chunk {
			t.Errorf("%d is in chunk %d, expected %d", test.t, got, test.chunk)
		}
		if got := o.oldest(test.t); got != test.oldest {
			t.Errorf("at %d, %d is the oldest, expected %d", test.t, got, test.oldest)
		}
		if got := string(o.appendItemKey([]byte("x"), []byte("l"), o.chunkOf(test.t))); got != "x"+test.key {
			t.Errorf("%d is in %q, expected %q", test.t, got, test.key)
		}
	}
}

func TestTimeToLive(t *testing.T) {
	o := ring{LogChunk: 10_000, LogChunks: 10}
	for _, test := range []struct{ t, now, ttl int64 }{
		{0, 0, 101},
		{0, 1, 101},
		{0, 1000, 100},
		{9_999, 9_999, 92},
		{10_000, 9_999, 102},
		{0, 98_999, 3},
		{0, 99_000, 2},
		{0, 99_001, 2},
		{-1, 0, 91},
		{-90_000, 0, 11},
	} {
		if got := o.ttl(test.t, test.now); got != test.ttl {
			t.Errorf("%d at %d: %d s to live, expected %d", test.t, test.now, got, test.ttl)
		}
	}
	for _, test := range []struct{ ttl, now, exptime int64 }{
		{1, 5000, 1}, {2_592_000, 5000, 2_592_000}, {2_592_001, 5999, 2_592_006},
	} {
		if got := verbs.Exptime(test.ttl, test.now); got != test.exptime {
			t.Errorf("%d s at %d: %d, expected %d", test.ttl, test.now, got, test.exptime)
		}
	}
}

func TestResolve(t *testing.T) {
	for _, test := range []struct{ t, now, want int64 }{
		{0, 5000, 5000}, {-1, 5000, 4999}, {-6000, 5000, -1000}, {1, 5000, 1}, {7000, 5000, 7000},
		{-math.MaxInt64, 5000, 5000 - math.MaxInt64}, {math.MaxInt64, 5000, math.MaxInt64},
	} {
		if got := resolve(test.t, test.now); got != test.want {
			t.Errorf("%d at %d: %d, expected %d", test.t, test.now, got, test.want)
		}
	}
}

// However times to live are rounded to seconds, they distinguish the last round from
// this one.
func TestLastRound(t *testing.T) {
	for _, o := range []ring{{LogChunk: 10_000, LogChunks: 10}, {LogChunk: 5000, LogChunks: 2}, {LogChunk: 2000, LogChunks: 4},
		{LogChunk: 86_400_000, LogChunks: 60}} {
		ring := o.LogChunk * o.LogChunks
		for now := -o.LogChunk; now < settling; now += 97 { // around the beginning of chunk 0
			ours := o.ttl(0, now)
			for _, off := range []int64{-1, 0, 1, overlap} {
				if ttl := (ring-now)/1000 + off; o.lastRound(ttl, ours) {
					t.Errorf("%+v at %d: %d s are of the last round", o, now, ttl)
				}
				if ttl := -now/1000 + off; ttl > 0 && !o.lastRound(ttl, ours) {
					t.Errorf("%+v at %d: %d s are of this round", o, now, ttl)
				}
			}
			if o.lastRound(-1, ours) {
				t.Error("an item without expiry is of the last round")
			}
		}
	}
}
