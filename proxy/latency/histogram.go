package latency

import (
	"math/bits"
	"time"
)

// Each power of two is divided into quarters, so a bucket is at most a quarter as wide as the
// durations in it are long. The first four buckets are one microsecond wide.
const (
	quarterBits = 2
	quarters    = 1 << quarterBits
	numBuckets  = quarters * (32 - quarterBits + 1)
)

// Histogram counts durations. The zero value is empty.
type Histogram struct {
	counts [numBuckets]uint64
	sum    uint64 // microseconds
}

// Add counts a duration.
func (h *Histogram) Add(micros uint32) {
	h.counts[bucketOf(micros)]++
	h.sum += uint64(micros)
}

// bucketOf returns the index of the bucket for a duration.
func bucketOf(micros uint32) int {
	if micros < quarters {
		return int(micros)
	}
	octave := bits.Len32(micros) - quarterBits
	return octave*quarters + int(micros>>(octave-1))&(quarters-1)
}

// end returns the end of bucket i, in microseconds: the shortest duration that is too long for
// it.
func end(i int) uint64 {
	if i < quarters {
		return uint64(i) + 1
	}
	octave, quarter := i/quarters, i%quarters
	return uint64(quarters+quarter+1) << (octave - 1)
}

// Merge adds the durations of another histogram.
func (h *Histogram) Merge(other *Histogram) {
	for i, n := range other.counts {
		h.counts[i] += n
	}
	h.sum += other.sum
}

// Since returns the durations that were added since h was as before. If counts were reset meanwhile, they are those since then.
func (h *Histogram) Since(before *Histogram) (added Histogram) {
	for i, n := range h.counts {
		added.counts[i] = Grown(n, before.counts[i])
	}
	added.sum = Grown(h.sum, before.sum)
	return added
}

// Grown returns by how much a count has grown. If it is smaller than before, it was reset to 0.
func Grown(now, before uint64) uint64 {
	if now < before {
		return now
	}
	return now - before
}

// Quantile returns a duration that a share of the durations do not exceed, 0 if there are none.
func (h *Histogram) Quantile(share float64) time.Duration {
	left := share * float64(h.Count())
	if left == 0 {
		return 0
	}
	for i, n := range h.counts {
		if left -= float64(n); left <= 0 {
			return time.Duration(end(i)) * time.Microsecond
		}
	}
	return time.Duration(end(numBuckets-1)) * time.Microsecond
}

// Count returns the number of durations.
func (h *Histogram) Count() (n uint64) {
	for _, count := range h.counts {
		n += count
	}
	return n
}

// Seconds returns the sum of all durations, in seconds.
func (h *Histogram) Seconds() float64 { return float64(h.sum) / 1e6 }

// Bucket is a part of a histogram.
type Bucket struct {
	End   uint64 // the shortest duration that is too long for it, in microseconds
	Count uint64
}

// Buckets returns the buckets that are not empty, the shortest durations first.
func (h *Histogram) Buckets() (list []Bucket) {
	for i, n := range h.counts {
		if n > 0 {
			list = append(list, Bucket{end(i), n})
		}
	}
	return list
}

// The bounds for Prometheus are powers of two, from 32 microseconds to 8 seconds: each costs a
// time series for each command.
const leastBound, mostBound = 5, 23

// Cumulative returns the counts as Prometheus has them: for each bound, in seconds, how many
// durations are shorter.
func (h *Histogram) Cumulative() map[float64]uint64 {
	bounds := make(map[float64]uint64, mostBound-leastBound+1)
	var n uint64
	next := leastBound
	for i := 0; next <= mostBound; i++ {
		n += h.counts[i]
		if end(i) == 1<<next {
			bounds[float64(uint64(1)<<next)/1e6] = n
			next++
		}
	}
	return bounds
}
