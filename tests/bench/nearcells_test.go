//go:build linux

package main

import "testing"

// Hot keys are beside the same without near and beside Valkey, with the operations of the memcacheds.
func TestNear(t *testing.T) {
	out, _ := runTiny(t, "-cell", "near")
	expectParts(t, out,
		"## Answers without their server",
		"| get of one key, 100 B | memverbs |", "| ″ | without near |", "≥ 1.15 ", "≤ 0.85 ",
		"| zrevrange of the best ten of 100 000 | memverbs |", "| sismember of one set of 10 000 | memverbs |",
		"| ″ | valkey |", "≥ 1 ")
}

// Limits are beside plain counters, and beside scripts of Valkey.
func TestLimits(t *testing.T) {
	out, _ := runTiny(t, "-cell", "limits", "-conns", "0")
	expectParts(t, out,
		"## Limits",
		"| limit that always has something left, 2 memverbs × 100 connections | incr |", "≥ 0.5 ",
		"| limit of 1000 a second, 2 memverbs × 100 connections | incr |",
		"| ″ | valkey, log |", "| ″ | valkey, incr |")
}

// Gets with a setting are beside those without it.
func TestSettings(t *testing.T) {
	out, _ := runTiny(t, "-cell", "namespaces,held", "-conns", "0")
	expectParts(t, out,
		"## Namespaces",
		"| 50 connections, unpipelined, 100 B, 0 % sets ", "without it", "≤ 1.15 ", "≤ 1.4 ",
		"## Gets that may wait for what they miss",
		"| 50 connections, 16 pipelined, 100 B, 0 % sets ", "≤ 1.05 ", "≤ 1.1 ")
}
