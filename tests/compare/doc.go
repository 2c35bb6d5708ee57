//go:build linux

// Command compare puts memverbs beside nutcracker (twemproxy), and beside
// memcached itself, under the same load on one machine, and prints what each
// of them makes of it. "make compare" runs it from the top of the repository.
//
// For every load (see load.go, and -load) it starts two memcacheds, and in
// front of them one nutcracker and one memverbs, which place keys alike. The
// third contestant is the first of the two memcacheds, asked directly: one
// server with no proxy, to show what is left to gain. They take turns,
//
//	nutcracker memverbs memcached  nutcracker memverbs memcached  …
//
// for some rounds, because a machine is rarely as fast now as it will be in a
// minute. What is compared is neighbours: each round gives one ratio of
// memverbs to nutcracker, and the table shows their median and how far they
// spread. A median ratio whose spread has 1 in it says nothing.
//
// A connection of a load sends a request, or a batch of them, waits for the
// last reply and sends the next: one set to nine gets, of keys at random. Every
// byte of every reply is compared with the one expected, so a proxy that mixes
// up replies, or loses one, fails the run. Errors that a server owns up to
// (SERVER_ERROR) are counted.
//
// # The columns
//
//	requests/s  replies a second; a get of many keys is one request
//	user        processor time of the contestant per request, in µs,
//	system      outside of the kernel and in it,
//	cpu         and both together
//	stores      the same of the memcacheds behind a proxy, which depends on how
//	            the proxy cuts and bundles what it sends them
//	load        the same of this program
//	p50 …       latency in ms: from sending a batch to its last reply
//	failed      requests answered with SERVER_ERROR
//	others      share of the machine that went to whatever else runs on it; from
//	            a few percent on, latencies tell more about that
//
// Requests a second depend on everything that shares the processors, this
// program included. Where there are fewer of them than busy processes, look at
// the processor time per request: it says what a proxy costs, and a proxy that
// may use several processors (see -loops) is not better for it.
package main
