//go:build linux

package main

import (
	"time"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// figures are the results of one turn.
type figures [columns]float64

// column is one of the figures.
type column int

const (
	requests column = iota
	user
	system
	cpu
	stores
	whole
	loading
	p50
	p99
	p999
	peak
	private
	failed
	others
	columns
)

// titles and digits say how the columns are printed.
var (
	titles = [columns]string{"requests/s", "user µs", "system µs", "cpu µs", "stores µs", "all µs", "load µs", "p50 ms", "p99 ms", "p99.9 ms", "peak MB", "private MB", "failed", "others %"}
	digits = [columns]int{0, 2, 2, 2, 2, 2, 2, 3, 3, 3, 1, 1, 0, 0}
)

// compared is the number of columns that have ratios: those before failed.
const compared = failed

func (c column) moreIsBetter() bool { return c == requests }

// newFigures computes the figures of a turn from the counted requests, the
// processor time that was spent, and the memory.
func newFigures(n load.Count, length time.Duration, s spent, held occupied) (f figures) {
	per := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 / float64(n.Requests) }
	millis := func(p float64) float64 { return float64(n.Took.ValueAtPercentile(p)) / 1e6 }
	f[requests] = (float64(n.Requests) - float64(n.Failed)) / length.Seconds()
	f[user], f[system], f[cpu] = per(s.user), per(s.system), per(s.cpu)
	f[stores], f[whole] = per(s.stores), per(s.cpu+s.stores)
	f[loading] = per(s.load)
	f[p50], f[p99], f[p999] = millis(50), millis(99), millis(99.9)
	f[peak], f[private] = float64(held.peak)/(1<<20), float64(held.private)/(1<<20)
	f[failed] = float64(n.Failed)
	f[others] = s.others()
	return f
}
