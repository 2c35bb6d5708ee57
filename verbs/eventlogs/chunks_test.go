package eventlogs

import (
	"math"
	"testing"
)

func TestChunks(t *testing.T) {
	o := chunks{LogChunk: 10_000, LogChunks: 10}
	for _, test := range []struct {
		t, chunk, oldest int64
	}{
		{0, 0, -90_000},
		{9_999, 0, -90_000},
		{10_000, 1, -80_000},
		{99_999, 9, 0},
		{100_000, 10, 10_000},
		{-1, -1, -100_000},
		{-10_000, -1, -100_000},
		{-10_001, -2, -110_000},
		{-100_000, -10, -190_000},
		{1_700_000_123_456, 170_000_012, 1_700_000_030_000},
	} {
		if got := o.at(test.t); got != test.chunk {
			t.Errorf("%d is in chunk %d, expected %d", test.t, got, test.chunk)
		}
		if got := o.oldest(test.t); got != test.oldest {
			t.Errorf("at %d, %d is the oldest, expected %d", test.t, got, test.oldest)
		}
	}
}

func TestTimeToLive(t *testing.T) {
	const day = 24 * 60 * 60
	for _, test := range []struct{ chunk, chunks, now, exptime int64 }{ // in seconds
		{1, 2, 0, 3 + spare}, {10, 10, 0, 110 + spare}, {10, 10, 1_700_000_000, 110 + spare},
		{day, 28, 1_700_000_000, 29*day + spare}, // the longest that is relative
		{day, 29, 1_700_000_000, 1_700_000_000 + 30*day + spare},
	} {
		o := chunks{LogChunk: 1000 * test.chunk, LogChunks: test.chunks}
		if got := o.exptime(1000 * test.now); got != test.exptime {
			t.Errorf("%+v: %d", test, got)
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
