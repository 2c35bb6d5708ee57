//go:build linux

package main

import (
	"fmt"
	"math"
	"slices"
)

// spread is the median of some values, and how far they spread.
type spread struct{ median, least, most float64 }

// spreadOf returns the spread of values, of which there is at least one.
func spreadOf(values []float64) spread {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return spread{(sorted[(n-1)/2] + sorted[n/2]) / 2, sorted[0], sorted[n-1]}
}

func (s spread) String() string { return fmt.Sprintf("%.3f (%.2f–%.2f)", s.median, s.least, s.most) }

// ratios returns the spread of subject to rival, round by round: neighbours are
// compared, as the machine may have been faster in another round. Without a
// round that both have a figure of, ok is false.
func ratios(subject, rival []float64) (s spread, ok bool) {
	values := ratiosOf(subject, rival)
	if len(values) == 0 {
		return s, false
	}
	return spreadOf(values), true
}

// ratiosOf returns the ratio of each round that both have a figure of.
func ratiosOf(subject, rival []float64) (values []float64) {
	for i := range min(len(subject), len(rival)) {
		if rival[i] > 0 {
			values = append(values, subject[i]/rival[i])
		}
	}
	return values
}

// medianWithin returns the interval that holds the median of what the values, of
// which there is at least one, were drawn from, with a probability of 95 %: between
// the kth least and the kth greatest of them. Whether a value is above the median is
// the toss of a coin, so k follows from the binomial distribution. Fewer than six
// values have none, and their extremes are returned.
func medianWithin(values []float64) spread {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	k, chance, below := 0, math.Pow(0.5, float64(n)), 0.0
	for below+chance <= 0.025 { // chance is that of exactly k values below the median
		below += chance
		k++
		chance *= float64(n-k+1) / float64(k)
	}
	k = max(k, 1)
	return spread{median: spreadOf(values).median, least: sorted[k-1], most: sorted[n-k]}
}
