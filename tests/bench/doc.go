//go:build linux

// Command bench puts memverbs beside nutcracker (twemproxy), beside the proxy that is
// built into memcached and beside memcached itself, under the same load on one
// machine, and reports what each of them makes of it. "make bench" runs it from the top of the repository.
//
// # Cells, turns and rounds
//
// A cell is one load and those who bear it, the contestants. For every cell fresh
// memcacheds are started, in front of them one nutcracker and one memverbs, which
// place keys alike, and both are filled through what they are asked through later.
// Plain commands have two more contestants: memcached's own proxy, which places keys
// in its own way, and the first memcached, asked directly: one server with no
// proxy, to show what is left to gain. They take turns,
//
//	nutcracker memverbs memcached  memcached memverbs nutcracker  …
//
// for some rounds, every other one backwards, because a machine is rarely as fast now as it will be in a
// minute. What is compared is neighbours: each round gives one ratio of memverbs
// to each rival, and the report shows their median and how far they spread. A
// median ratio whose spread has 1 in it says nothing. Some ratios have a bar that
// they should clear; the report says whether they do.
//
// Package load makes the load. Cells are grouped into parts of the report
// (plan.go), each with a table of its own. To add a cell, add it to a part; its
// field set starts what it needs and returns its contestants, which may be put
// under load by anything that is a driver.
//
// # Verbs
//
// In the cells of verbs (verbs.go) memverbs has other rivals: Valkey, which continues
// Redis and has such commands of its own; the plain append that sadd comes to; and
// clients that keep sets in memcached by themselves, as the article does from which
// memverbs has the idea. (Package article has what they do, package clients runs them
// in a process of their own.) As verbs change things, everything is emptied and filled
// again before each turn. Package verbload says the same work to all of them. Most
// rivals are servers or clients; where memverbs must not lose much of its own
// (setverbs.go), it is memverbs, asked something else.
//
// The cells of lists, tables and locks (structures.go) have Valkey and simple clients
// beside memverbs, each of them once with single requests and once with 16 at a time. In
// one (beside.go), others disturb whoever is measured through a second memverbs; it has bars
// on figures in themselves. They are a part that is only run if it is named, since a run
// of all others takes as long as such a run should. So are the cells of rankings
// (rankcells.go), which have only Valkey beside memverbs.
//
// # TLS
//
// The cells of TLS (tls.go) have stunnel beside memverbs, in front of a memverbs without TLS
// and in front of a memcached, and memcached's own TLS. Whoever is several processes is
// charged for all of them. New connections are made by package connload, and the memory
// that connections take is measured in a cell of its own (tlsidle.go), where nobody takes
// turns. They are only run if they are named.
//
// # An old memverbs
//
// The cells of old.go have memverbs beside a revision of its own past, with more rounds than others
// have, and say whether it has become slower. They are only run if they are named.
//
// # Bystanders
//
// One cell (bystanders.go, stand.go) is about nobody's throughput. It shows how long
// somebody waits for a small value while others make the largest requests there are:
// through memverbs, through nutcracker where it knows the requests, and of the
// memcached behind, directly and at the same time.
//
// # What to look at
//
// Requests a second depend on everything that shares the processors, this program
// included. Where there are fewer of them than busy processes, look at the
// processor time per request: it says what a proxy costs, and a proxy that may use
// several processors (see -loops) is not better for it. Nothing is pinned to a
// processor, as nobody does that to a proxy either.
//
// # What it writes
//
// A run of all cells as they are writes tests/bench/report.md, in Markdown, and
// prints the same. A run of some cells (-cell), or of cells that flags make
// different (-conns, -skew and so on), only prints it, unless -report is given.
package main
