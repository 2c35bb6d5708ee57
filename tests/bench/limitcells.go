//go:build linux

package main

import "github.com/memverbs/memverbs/tests/bench/verbload"

// The limits of a load: one that always has something left, and one that is spent nearly all the time.
var (
	wideLimit  = verbload.Limit{Count: 100_000_000, Seconds: 1}
	spentLimit = verbload.Limit{Count: 1000, Seconds: 1}
)

// limiting is many clients that ask about one limit.
func limiting(o *options) *part {
	return &part{
		name: "limits", title: "Limits", text: limitsText, apart: true, table: verbTable, detail: true,
		cells: []*cell{
			askLimit(o, "limit-wide", "limit that always has something left", wideLimit),
			askLimit(o, "limit-spent", "limit of 1000 a second", spentLimit),
		},
	}
}

const limitsText = `200 connections, half of them to each of two memverbs, ask about one limit.

- incr: the plain command through the same two, which counts and limits nothing.
- valkey, log: a script that keeps the times of all that was allowed in a sorted set, which makes it exact.
- valkey, incr: a script with INCR, and EXPIRE if the counter is new: two windows in a row may be spent at their common end.`

// askLimit is a cell about one limit.
func askLimit(o *options, name, what string, l verbload.Limit) *cell {
	v := verbCell{name: name, what: what + ", 2 memverbs × 100 connections", proxies: 2, conns: 200, pipeline: 1, acts: []act{
		{name: memverbs, ready: after(verbload.Flush, l.Asks)},
		{name: incrs, ready: after(l.FillCounter, l.Incrs)},
		{name: valkeyLog, ready: after(l.ValkeyFill, l.ValkeyLog)},
		{name: valkeyCount, ready: after(l.ValkeyFill, l.ValkeyCounter)},
	}}
	return fewRounds(v.cell(o, bar{incrs, requests, 0.5}))
}
