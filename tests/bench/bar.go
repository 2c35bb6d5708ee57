//go:build linux

package main

import "fmt"

// bar is what a figure of a cell's subject, divided by that of a rival, should
// be: at least so much where more is better, and at most where less is.
type bar struct {
	rival  string
	column column
	limit  float64
}

// met reports whether a ratio clears the bar.
func (b bar) met(ratio float64) bool {
	if b.column.moreIsBetter() {
		return ratio >= b.limit
	}
	return ratio <= b.limit
}

func (b bar) String() string {
	sign := "≤"
	if b.column.moreIsBetter() {
		sign = "≥"
	}
	return fmt.Sprintf("%s %.4g", sign, b.limit)
}

// besideNutcracker returns the bars of a load of the pass-through path.
func besideNutcracker(atLeast, cpuAtMost, p99AtMost float64) []bar {
	return []bar{{nutcracker, requests, atLeast}, {nutcracker, cpu, cpuAtMost}, {nutcracker, p99, p99AtMost}}
}
