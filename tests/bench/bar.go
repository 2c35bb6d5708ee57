//go:build linux

package main

import "fmt"

// bar is the value that a figure of a cell's subject should reach, either by itself or divided by the
// same figure of a rival: the least value where more is better, and the greatest where less is.
type bar struct {
	rival  string // or itself
	column column
	limit  float64
}

// itself is the rival of figures that are compared with none.
const itself = ""

// met reports whether a ratio, or a figure by itself, clears the bar.
func (b bar) met(value float64) bool {
	if b.column.moreIsBetter() {
		return value >= b.limit
	}
	return value <= b.limit
}

// verdict is the bar and whether a value clears it.
func (b bar) verdict(value float64) string {
	if b.met(value) {
		return b.String() + " ✓"
	}
	return b.String() + " **✗**"
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
