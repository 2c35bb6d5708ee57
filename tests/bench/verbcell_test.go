//go:build linux

package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// All kinds of contestants take their turns in cells of verbs.
func TestVerbs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.md")
	out, _ := runTiny(t, "-cell", "sadd-one,sismember", "-seconds", "2", "-report", path)
	for _, want := range []string{
		"Valkey server v=9.1.", "## Verbs",
		"| sadd, 50 connections, one set of 1000 | valkey |", "| ″ | article |", "≥ 3 ", "≥ 1 ",
		"\n| memverbs : article ", "\n| memverbs : valkey ", "\n| memverbs : smembers ",
		"](charts/verbs-requests.svg)", "](charts/latency-sismember.svg)",
	} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), strings.Join(strings.Fields(want), " ")) {
			t.Errorf("the report doesn't say %q", want)
		}
	}
}
