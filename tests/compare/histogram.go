//go:build linux

package main

import "math/bits"

// histogram counts times in buckets that are as wide as 1/64 of what is in
// them, so a percentile is never off by more than 1.6 %.
type histogram struct {
	counts [histogramOctaves << histogramBits]uint64
	total  uint64
}

const (
	histogramBits    = 6  // log2 of the buckets in an octave
	histogramOctaves = 36 // up to 2^41 ns, more than half an hour
)

// add counts a time in nanoseconds.
func (h *histogram) add(t int64) {
	v := uint64(max(t, 0))
	octave := max(bits.Len64(v)-histogramBits-1, 0)
	// From the second octave on, v>>octave has its top bit set.
	bucket := octave<<histogramBits + int(v>>octave)
	h.counts[min(bucket, len(h.counts)-1)]++
	h.total++
}

// merge adds the counts of g.
func (h *histogram) merge(g *histogram) {
	for i, n := range g.counts {
		h.counts[i] += n
	}
	h.total += g.total
}

// percentile returns the time that p percent of those counted stay below, in
// nanoseconds.
func (h *histogram) percentile(p float64) float64 {
	rank := max(uint64(p/100*float64(h.total)+0.5), 1)
	for bucket, n := range h.counts {
		if rank <= n {
			return middle(bucket)
		}
		rank -= n
	}
	return 0 // nothing was counted
}

// middle returns the time in the middle of a bucket.
func middle(bucket int) float64 {
	octave := max(bucket>>histogramBits-1, 0)
	first := uint64(bucket-octave<<histogramBits) << octave
	return float64(first) + float64(uint64(1)<<octave-1)/2
}
