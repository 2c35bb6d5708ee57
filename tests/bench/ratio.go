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

// ratios returns the median of the ratios of subject to rival in each round, and how sure it is: see [medianWithin]. Figures of
// different rounds are not compared, since the machine may have been faster in one of
// them. If there is no round in which both have a figure, ok is false.
func ratios(subject, rival []float64) (s spread, ok bool) {
	values := ratiosOf(subject, rival)
	if len(values) == 0 {
		return s, false
	}
	return medianWithin(values), true
}

// ratiosOf returns the ratio for each round in which both have a figure.
func ratiosOf(subject, rival []float64) (values []float64) {
	for i := range min(len(subject), len(rival)) {
		if rival[i] > 0 {
			values = append(values, subject[i]/rival[i])
		}
	}
	return values
}

// medianWithin returns an interval that contains, with a probability of 95 %, the median
// of the distribution that the values are drawn from: from the kth least to the kth
// greatest value. Each value is above that median with a probability of one half, so k
// follows from the binomial distribution. Of fewer than six values it returns the least
// and the greatest. There must be one value at least.
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
