//go:build linux

package main

import (
	"fmt"
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
	var values []float64
	for i := range min(len(subject), len(rival)) {
		if rival[i] > 0 {
			values = append(values, subject[i]/rival[i])
		}
	}
	if len(values) == 0 {
		return s, false
	}
	return spreadOf(values), true
}
