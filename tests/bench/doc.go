//go:build linux

// Command bench puts memverbs, nutcracker (twemproxy), the proxy that is built into memcached and
// memcached itself under the same load on one machine, and reports how each of them performs. "make bench"
// runs it from the top of the repository.
//
// # Cells, turns and rounds
//
// A cell is one load and the programs that are put under it, the contestants. For every cell fresh
// memcacheds are started, and in front of them one nutcracker and one memverbs, which place keys
// alike. Each is filled through the proxy that is measured later. Plain commands have two more
// contestants: memcached's own proxy, which places keys in its own way, and the first memcached,
// asked directly: one server with no proxy, to show what is left to gain. They take turns,
//
//	nutcracker memverbs memcached  memcached memverbs nutcracker  …
//
// for some rounds, every other one backwards, because the speed of a machine changes from minute to
// minute. So only neighbours are compared: each round gives one ratio of memverbs to each rival, and the
// report shows the median of the ratios and their spread, or from six rounds on an interval for the
// median. A ratio whose brackets include 1 shows no difference. Some ratios have a bar that they should clear; the report says whether they do.
//
// Package load makes the load. Cells are grouped into parts of the report
// (plan.go), each with a table of its own. To add a cell, add it to a part; its
// field set starts what it needs and returns its contestants, which may be put
// under load by anything that is a driver.
//
// # Verbs
//
// In the cells of verbs (verbs.go) memverbs has other rivals: Valkey, which continues
// Redis and has such commands of its own; the plain append to which sadd is translated; and
// clients that keep sets in memcached without a proxy, as the article does from which
// memverbs has the idea. (Package article has their algorithm, package clients runs them
// in a process of their own.) Since verbs change their structures, the servers are emptied and filled again before
// each contestant is measured. Package verbload makes requests for the same work for all of them.
// Most rivals are servers or clients; in some cells (setverbs.go) memverbs is compared with itself
// under other requests, which must not be much faster.
//
// The cells of lists, tables and locks (structures.go) have Valkey and simple clients
// beside memverbs, each of them once with single requests and once with 16 at a time. In one cell
// (beside.go), other clients disturb the measured one through a second memverbs; its bars are
// absolute figures. These cells are run only if they are named, since a run of all others takes
// long enough. The same holds for the cells of rankings (rankcells.go), which have only Valkey beside memverbs, of answers
// without a server (nearcells.go), beside memverbs without these, of what other settings cost gets (settingcells.go), likewise,
// and of limits (limitcells.go), beside plain counters and scripts of Valkey.
//
// # TLS
//
// The cells of TLS (tls.go) compare memverbs with stunnel, in front of a memverbs without TLS
// and in front of a memcached, and with memcached's own TLS. A contestant that consists of several
// processes is charged for all of them. New connections are made by package connload, and the
// memory that connections take is measured in a cell of its own (tlsidle.go), without
// turns. They are run only if they are named.
//
// # Waiting
//
// The cells of waitcells.go have thousands of clients wait for elements of lists. What they measure, without turns (waiting.go), is
// mostly not how much is done but how soon, and what is done and held while nothing comes. Package waitload has the clients. They
// are run only if they are named.
//
// # An old memverbs
//
// The cells of old.go compare memverbs with an old revision of itself, in more rounds than other
// cells, and say whether it has become slower. They are run only if they are named.
//
// # Bystanders
//
// One cell (bystanders.go, stand.go) does not measure throughput. It shows how long a client waits
// for a small value while others make the largest possible requests: through memverbs, through
// nutcracker if it knows the requests, and directly from the memcached behind, at the same time.
//
// # What to look at
//
// Requests a second depend on everything that shares the processors, this program
// included. Where there are fewer processors than busy processes, look at the
// processor time per request: it says what a proxy costs, however many
// processors it may use (see -loops). No process is pinned to a
// processor, since operators don't pin proxies either.
//
// # What it writes
//
// A run of all cells writes its report to tests/bench/report.md, in Markdown, and
// prints it. If only some cells are run (-cell), or flags change the cells (-conns,
// -skew and so on), the report is only printed, unless -report is given.
package main
