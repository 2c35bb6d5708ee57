//go:build linux

package main

import (
	"strings"
	"testing"
)

// The table has what takes cost the memcacheds, whether there is a task or not.
func TestOperationsOfTakesAreCounted(t *testing.T) {
	out, _ := runTiny(t, "-cell", "take-empty,take-one")
	rows := 0
	for line := range strings.Lines(out) {
		cells := strings.Split(line, "|")
		if len(cells) != 9 || !strings.HasPrefix(strings.TrimSpace(cells[1]), "take ") {
			continue
		}
		if rows++; strings.TrimSpace(cells[5]) == "–" || strings.TrimSpace(cells[5]) == "0.0" {
			t.Errorf("no operations: %s", line)
		}
	}
	if rows != 2 {
		t.Errorf("%d rows instead of 2:\n%s", rows, out)
	}
}
