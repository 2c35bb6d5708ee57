// Package report collects what stats, the status page and the metrics show. A loop's [Report] consists of plain values,
// which are added up and read on any goroutine:
//
//	loop ──▶ Report ─┐                       ┌─▶ Snapshot: page and metrics
//	loop ──▶ Report ─┴─Add──▶ Report of all ─┴─▶ Answer: stats ◀── Poll: what only the upstreams know
//
// What is counted of a pool on one loop is in [Counters]: requests and their outcomes as memcached counts them, which the
// functions here write one by one (wholeproxy.go, snapshot.go), and what only a proxy counts (Verbs.Pool).
//
// # To add a counter
//
// What only a proxy counts has a constant and a row in a table of package status: Counters of the whole proxy,
// PoolCounters of a pool, UpstreamCounters of a server. The row has its name in stats and its metric, which need
// nothing else, and its name in what the status page reads, which page.html of package admin then uses. stats has Counters and
// UpstreamCounters in groups of constants that follow one another (wholeproxy.go, statsarguments.go): put the new one into a
// group. Increment it where it happens, on the loop that it belongs to. These tests fail until its names are its own and
// the dashboard shows it:
//
//	go test ./proxy/status                        its names are its own
//	go test ./cmd/memverbs/packaging/monitoring   its metric is in a panel (panels.go there, then "go generate" of that package)
//
// Write it into cmd/memverbs/README.md, "Monitoring", and compare it with what clients have seen: in a test of
// tests/plain if plain commands change it, otherwise in one of tests/operation.
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
