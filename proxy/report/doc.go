// Package report collects what stats, the status page and the metrics show. A loop's [Report] consists of plain values,
// which are added up and read on any goroutine:
//
//	loop ──▶ Report ─┐                       ┌─▶ Snapshot: page and metrics
//	loop ──▶ Report ─┴─Add──▶ Report of all ─┴─▶ Answer: stats ◀── Poll: what only the upstreams know
//
// The counters of the whole proxy are declared in package status, those of a pool here ([Counters]).
//
// # Files, from the top down
//
//	statsarguments.go  the arguments of stats, and the answers about verbs, upstreams, hot keys and settings
//	wholeproxy.go      the answers about the whole proxy
//	snapshot.go        the state of the proxy as a [status.Snapshot]
//	poolsettings.go    the settings of a pool that change what clients get
//	ofprocess.go       the state of the whole process
//	ofloops.go         the report of a loop, and of several
//	counters.go        the counts of a pool
//	poll.go            what the upstreams are asked for
//	desk.go            requests for statistics wait here, to be answered together
package report
