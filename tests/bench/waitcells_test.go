//go:build linux

package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// All that is told of clients that wait is measured. Elements come through the process where their client waits, and
// through the other one.
func TestWaits(t *testing.T) {
	out, told := runTiny(t, "-cell", "wait-lists", "-seconds", "0.05")
	for _, row := range []string{
		`elements delivered through the same process \| [1-9]\d* \| –`,
		`elements delivered through the other process \| [1-9]\d* \| –`,
		`″ p99 ms \| [\d.]+, ≤ 220 \S+ \| –`,
		`% of the machine that others took \| \d+ \| –`,
		`kB of a client that is connected \| -?[\d.]+ \| –`,
		`kB more of each further client that waits \| -?[\d.]+, ≤ 2 \S+ \| –`,
		`operations/s, list and process, while nothing comes \| \d+\.\d+, ≤ \d+ \S+ \| –`,
		`operations/s when all have gone \| [\d.]+, ≤ 0 \S+ \| –`,
		`waits over without anything \| 180 \| –`,
		`memory before → after, MB \| [\d.]+ → [\d.]+ \| –`,
		`descriptors before → after \| [1-9]\d* → [1-9]\d* \| –`,
		`verbs_waiting before → after \| 0 → 0 \| –`,
	} {
		if !regexp.MustCompile(`\| ` + row).MatchString(strings.Join(strings.Fields(out), " ")) {
			t.Errorf("the report doesn't say %q:\n%s\n%s", row, out, told)
		}
	}
}

// What only memverbs has is missing for the rival, as bars are. A bar that is not met is marked.
func TestWaitTable(t *testing.T) {
	ours, theirs := &waited{whole: true, pairs: 10, quiet: 49, gone: 1, perWait: 2100}, &waited{}
	for _, w := range []*waited{ours, theirs} {
		w.Same, w.Other, w.vain = load.NewCount(), load.NewCount(), load.NewCount()
	}
	text := strings.Join(strings.Fields(waitTable(&options{loops: 1}, ours, theirs).String()), " ")
	for _, want := range []string{
		"| operations/s, list and process, while nothing comes | 4.90, ≤ 5 ✓ | – |",
		"| operations/s when all have gone | 1.0, ≤ 0 **✗** | – |",
		"| kB more of each further client that waits | 2.1, ≤ 2 **✗** | 0.0 |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the table doesn't say %q:\n%s", want, text)
		}
	}
}
