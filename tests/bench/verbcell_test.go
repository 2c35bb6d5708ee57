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
	out, _ := runTiny(t, "-cell", "sadd-one,sismember,sismember-million,spop", "-seconds", "2", "-report", path)
	for _, want := range []string{
		"Valkey server v=9.1.", "## Verbs",
		"| sadd, 50 connections, one set of 1000 | valkey |", "| ″ | article |", "≥ 3 ", "≥ 0.5 ", "≥ 1 ", "≥ 0.4 ",
		"| spop and as many sadd, 2 memverbs × 16 connections, one set of 10 000 | valkey |",
		"\n| memverbs : article ", "\n| memverbs : valkey ", "\n| memverbs : smembers ", "\n| memverbs : of 10 000 ",
		"](charts/verbs-requests.svg)", "](charts/latency-sismember.svg)",
	} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), strings.Join(strings.Fields(want), " ")) {
			t.Errorf("the report doesn't say %q", want)
		}
	}
}
