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
	out, _ := runTiny(t, "-cell", "sadd-one,sismember,sismember-million,spop", "-seconds", "0.5", "-report", path)
	expectParts(t, out,
		"Valkey server v=9.1.", "## Verbs",
		"| sadd, 50 connections, one set of 1000 | valkey |", "| ″ | article |", "≥ 3 ", "≥ 0.5 ", "≥ 1 ", "≥ 0.4 ",
		"| spop and as many sadd, 2 memverbs × 16 connections, one set of 10 000 | valkey |",
		"\n| memverbs : article ", "\n| memverbs : valkey ", "\n| memverbs : smembers ", "\n| memverbs : of 10 000 ",
		"](charts/verbs-requests.svg)", "](charts/latency-sismember.svg)")
}

// expectParts checks that a report contains all of want, whatever the white space between words.
func expectParts(t *testing.T, report string, want ...string) {
	t.Helper()
	report = strings.Join(strings.Fields(report), " ")
	for _, part := range want {
		if !strings.Contains(report, strings.Join(strings.Fields(part), " ")) {
			t.Errorf("the report doesn't say %q:\n%s", part, report)
		}
	}
}

// Rankings have their own part, too, in which Valkey runs a script.
func TestRankings(t *testing.T) {
	out, _ := runTiny(t, "-cell", "zadd-pipelined,zincrby-many,zincrbyp,zrevrange", "-seconds", "0.5")
	expectParts(t, out,
		"## Rankings",
		"| zadd to one ranking of 100 000, 50 connections, 16 pipelined | valkey |", "≥ 0.8 ",
		"| zincrby to 1000 rankings of 100, 50 connections, unpipelined | valkey |", "≥ 0.3 ",
		"| zincrbyp to 1000 rankings of 100 for a second, 50 connections, unpipelined | valkey |", "≥ 1 ",
		"| zrevrange of 100 000, 50 connections, unpipelined | valkey |", "≥ 0.5 ")
}

// Lists, tables and locks have their own part, which also has bars on figures that are not divided by a rival's.
func TestStructures(t *testing.T) {
	out, _ := runTiny(t, "-cell", "rpush-pipelined,lpop,lpop-data,hgetall,lock,lpop-rpush", "-seconds", "0.5")
	expectParts(t, out,
		"## Lists, tables and locks",
		"| rpush to 100 000 lists, 50 connections, 16 pipelined | valkey |", "≥ 0.65 ",
		"| ″ | memcached |", "| ″ | nutcracker |", "| ″ | memcached proxy |",
		"| lpop of one list of 1000, 50 connections, unpipelined | valkey |", "| ″ | clients |", "≥ 3 ",
		"| lpop of one list of 1000 × 300 B, and as many rput, 50 connections, unpipelined | valkey |", "≥ 0.5 ",
		"| hgetall of 100 rows of 100 B, 50 connections, unpipelined | valkey |",
		"| lock and unlock, 50 connections, unpipelined | valkey |",
		"beside 16 × rpush through another memverbs | – |", ", ≥ 500 ", ", ≤ 0 ", "memverbs refused |")
}
