// Package report is what stats, the status page and the metrics are told from. A loop's [Report] is plain values, which
// are added up and read on any goroutine:
//
//	loop ──▶ Report ─┐                       ┌─▶ Snapshot: page and metrics
//	loop ──▶ Report ─┴─Add──▶ Report of all ─┴─▶ Answer: stats ◀── Poll: what only the upstreams know
//
// What the whole proxy counts is declared in package status, and what a pool counts here ([Counters]).
//
// # Files, from the top down
//
//	fortests.go      what tests of the whole server use
//	arguments.go     the arguments of stats, and the answers about verbs, upstreams, hot keys and settings
//	wholeproxy.go    the answers about the whole proxy
//	snapshot.go      the state as package status has it
//	process.go       what is known of the whole process
//	ofloops.go       the report of a loop, and of several
//	counters.go      the counts of a pool
//	poll.go          what the upstreams are asked for
//	desk.go          where those who ask wait, to be answered together
package report
