//go:build linux

package main

import (
	"fmt"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// The bars of clients that wait.
const (
	otherAtMost  = 220 // ms until what is pushed through another process is delivered, in 99 of 100 cases
	probesAtMost = 5   // operations a second for a list and an event loop, while nothing comes
	waiterAtMost = 2   // kB for a client that waits
	goneAtMost   = 0   // operations a second when nobody waits
)

// waitRow is a row of the table of clients that wait.
type waitRow struct {
	name   string
	whole  bool // only of cells that measure the whole
	figure func(*waited) string
}

// waitTable has a row for each figure.
func waitTable(o *options, ours, theirs *waited) *table {
	t := &table{head: []string{"", memverbs, beanstalkd}}
	for _, row := range waitRows(o) {
		cells := []string{row.name, "–", "–"}
		for i, w := range []*waited{ours, theirs} {
			if w != nil && (w.whole || !row.whole) {
				cells[1+i] = row.figure(w)
			}
		}
		t.add(cells...)
	}
	return t
}

func waitRows(o *options) []waitRow {
	same, other := func(w *waited) load.Count { return w.Same }, func(w *waited) load.Count { return w.Other }
	vain := func(w *waited) load.Count { return w.vain }
	return []waitRow{
		{"elements delivered through the same process", false, func(w *waited) string { return fmt.Sprint(w.Same.Requests) }},
		{"″ p50 ms", false, took(same, 50)},
		{"″ p99 ms", false, took(same, 99)},
		{"elements delivered through the other process", true, func(w *waited) string { return fmt.Sprint(w.Other.Requests) }},
		{"″ p50 ms", true, took(other, 50)},
		{"″ p99 ms", true, func(w *waited) string { return w.atMost(p99Of(w.Other), 1, otherAtMost) }},
		{"% of the machine that others took", false, func(w *waited) string { return fmt.Sprintf("%.0f", w.others) }},
		{"kB of a client that is connected", false, func(w *waited) string { return fmt.Sprintf("%.1f", w.perConn/1000) }},
		{"kB more of the first clients of a list that wait", false, func(w *waited) string { return fmt.Sprintf("%.1f", w.perFirst/1000) }},
		{"kB more of each further client that waits", false, func(w *waited) string { return w.atMost(w.perWait/1000, 1, waiterAtMost) }},
		{"operations/s, list and process, while nothing comes", true, func(w *waited) string {
			return w.atMost(w.quiet/float64(w.pairs), 2, probesAtMost*float64(o.loops))
		}},
		{"% of a processor for memverbs meanwhile", true, func(w *waited) string { return fmt.Sprintf("%.1f", 100*w.quietCPU) }},
		{"operations/s when all have gone", true, func(w *waited) string { return w.atMost(w.gone, 1, goneAtMost) }},
		{"waits over without anything", true, func(w *waited) string { return fmt.Sprint(w.vain.Requests) }},
		{"″ p50 ms", true, took(vain, 50)},
		{"″ p99 ms", true, took(vain, 99)},
		{"memory before → after, MB", true, func(w *waited) string {
			return fmt.Sprintf("%.1f → %.1f", float64(w.before.resident)/1e6, float64(w.after.resident)/1e6)
		}},
		{"descriptors before → after", true, func(w *waited) string {
			return fmt.Sprintf("%d → %d", w.before.descriptors, w.after.descriptors)
		}},
		{"verbs_waiting before → after", true, func(w *waited) string { return fmt.Sprintf("%d → %d", w.before.waiting, w.after.waiting) }},
	}
}

// took returns the figure of a percentile of times, in ms.
func took(of func(*waited) load.Count, percentile float64) func(*waited) string {
	return func(w *waited) string {
		return fmt.Sprintf("%.1f", float64(of(w).Took.ValueAtPercentile(percentile))/1e6)
	}
}

// atMost is a figure, so many of its decimals, and whether it is no greater than its bar. The rival has no bars.
func (w *waited) atMost(value float64, decimals int, limit float64) string {
	text := fmt.Sprintf("%.*f", decimals, value)
	switch {
	case !w.whole:
		return text
	case value > limit:
		return fmt.Sprintf("%s, ≤ %g **✗**", text, limit)
	}
	return fmt.Sprintf("%s, ≤ %g ✓", text, limit)
}
