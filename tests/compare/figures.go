//go:build linux

package main

import (
	"runtime"
	"time"
)

// figures are what one turn came to, by column of the table.
type figures [columns]float64

const (
	requests = iota
	user
	system
	cpu
	stores
	loading
	p50
	p99
	p999
	failed
	others
	columns
)

// titles and digits say how the columns are printed.
var (
	titles = [columns]string{"requests/s", "user µs", "system µs", "cpu µs", "stores µs", "load µs", "p50 ms", "p99 ms", "p99.9 ms", "failed", "others %"}
	digits = [columns]int{0, 2, 2, 2, 2, 2, 3, 3, 3, 0, 0}
)

// compared is how many columns there is a ratio of: those before failed.
const compared = failed

// newFigures works out the figures of a turn from what was counted and from
// the processor time that was spent.
func newFigures(w *worker, length time.Duration, s spent) (f figures) {
	per := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 / float64(w.requests) }
	millis := func(p float64) float64 { return w.took.percentile(p) / 1e6 }
	f[requests] = float64(w.requests) / length.Seconds()
	f[user], f[system], f[cpu] = per(s.user), per(s.system), per(s.user+s.system)
	f[stores] = per(s.stores)
	f[loading] = per(s.load)
	f[p50], f[p99], f[p999] = millis(50), millis(99), millis(99.9)
	f[failed] = float64(w.failed)
	theirs := s.machine - (s.user + s.system + s.stores + s.load)
	f[others] = 100 * max(0, theirs.Seconds()/(s.at.Seconds()*float64(runtime.NumCPU())))
	return f
}
