package latency

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// Every duration is in the bucket that it belongs to, and that is narrow.
func TestBucketsAreNarrow(t *testing.T) {
	check := func(micros uint32) {
		t.Helper()
		i := bucketOf(micros)
		start := uint64(0)
		if i > 0 {
			start = end(i - 1)
		}
		if v := uint64(micros); v < start || v >= end(i) || i >= quarters && (end(i)-start)*quarters > start {
			t.Fatalf("%d µs is in bucket %d, from %d to %d", micros, i, start, end(i))
		}
	}
	for shift := range 32 {
		for d := range uint32(3) {
			check(1<<shift - 1 + d)
		}
	}
	check(math.MaxUint32)
	for range 100_000 {
		check(rand.Uint32() >> rand.IntN(32))
	}
	if end(numBuckets-1) != 1<<32 {
		t.Errorf("the last bucket ends at %d", end(numBuckets-1))
	}
}

// What Prometheus gets is what was counted.
func TestCumulative(t *testing.T) {
	var h, other Histogram
	durations := make([]uint32, 10_000)
	var sum float64
	for i := range durations {
		durations[i] = rand.Uint32N(1<<25) >> rand.IntN(25)
		sum += float64(durations[i])
		if i%2 == 0 {
			h.Add(durations[i])
		} else {
			other.Add(durations[i])
		}
	}
	h.Merge(&other)
	if h.Count() != uint64(len(durations)) || math.Abs(h.Seconds()-sum/1e6) > 1e-6 {
		t.Errorf("%d durations, %v s", h.Count(), h.Seconds())
	}
	bounds := h.Cumulative()
	if len(bounds) != mostBound-leastBound+1 {
		t.Errorf("%d bounds", len(bounds))
	}
	for bound, got := range bounds {
		want := uint64(0)
		for _, d := range durations {
			if float64(d) < bound*1e6-0.5 {
				want++
			}
		}
		if got != want {
			t.Errorf("%d are shorter than %v s, expected %d", got, bound, want)
		}
	}
	total := uint64(0)
	for _, b := range h.Buckets() {
		total += b.Count
	}
	if total != h.Count() {
		t.Errorf("the buckets have %d of %d", total, h.Count())
	}
}

// Stamps wrap around, their differences don't.
func TestStampsWrapAround(t *testing.T) {
	if d := Stamp(5).Since(Stamp(math.MaxUint32 - 4)); d != 10 {
		t.Errorf("%d µs", d)
	}
}

// In one callback it is one time.
func TestClockIsReadOnce(t *testing.T) {
	c := NewClock()
	first := c.Micros()
	if c.now += 1000; c.Micros() != first+1000 {
		t.Error("it was read again")
	}
	if c.Forget(); c.Micros() >= first+1000 {
		t.Error("it was not read again")
	}
}

// The time of the day is that at which the other clock was read. It goes on with that, and is read again after a millisecond: it
// may have been set.
func TestTimeOfDay(t *testing.T) {
	c := NewClock()
	now, wall := c.Micros(), c.Wall()
	if off := time.Now().UnixMilli() - wall; off < 0 || off > 60_000 {
		t.Errorf("%d ms late", off)
	}
	const day = 24 * 3600 * 1_000_000
	c.wall, c.wallAt = c.wall+day, now
	before := c.wall / 1000
	if c.now = now + wallFor - 1; c.Wall()-before != 0 && c.Wall()-before != 1 {
		t.Errorf("it goes from %d to %d in less than a millisecond", before, c.Wall())
	}
	if c.now = now + wallFor; c.Wall() > before-day/2000 {
		t.Error("it was not read again after a millisecond")
	}
}

func BenchmarkAdd(b *testing.B) {
	var h Histogram
	for i := range b.N {
		h.Add(uint32(i) & 0xffff)
	}
}

func BenchmarkClock(b *testing.B) {
	c := NewClock()
	for range b.N {
		c.Stamp()
		c.Forget()
	}
}
