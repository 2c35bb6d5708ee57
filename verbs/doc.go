// Package verbs holds the commands that memcached lacks, each as a
// straight-line program over memcached's own operations.
//
// A verb is a function of a [Call]. It asks for one operation after another
// (or for several at once) and answers the client:
//
//	func scard(c *Call) {
//		r := c.ask(Op{Kind: Fetch, Key: c.key})
//		…
//		c.sayf("%d", c.set.Live())
//	}
//
// Each ask suspends the function until the replies are there. A [Routine] runs
// it as a coroutine: [Routine.Start] and [Routine.Resume] return the
// operations that it waits for, and whoever drives the routine carries them
// out, be it the proxy over the network or a test over a model of memcached.
// The package itself has no network, no clock and no goroutine: time and what
// is known of the upstreams come from the [Env], so that a run can be repeated.
//
// # Sets
//
// A set is one item, a log of tokens, each followed by one space: "+m " adds
// the member m and "-m " removes it. Adding and removing append to the log,
// which memcached does atomically; reading fetches it and folds it, in order.
// A read that finds many dead tokens answers first and then swaps a compacted
// log in, with a compare-and-swap that lets it go if anything has changed. The
// encoding and the idea are Dustin Sallings's ("Maintaining a set in
// memcached").
//
// # Event logs
//
// An event log is a ring of items, each holding the events of one stretch of
// time, the chunk, and expiring before its place in the ring is used again.
// The idea is Andrey Smirnov's ("memcached and data structures"). See
// renew.go for what becomes of events that are early, and further.go for a
// chunk that outgrows an item.
//
// # What memcached makes of append
//
// Appending answers "not stored" both where there is no item and where the
// item would outgrow the limit, and says nothing more. From 1.6.20 on a meta
// set can append or create in one round trip; before that it takes append,
// add, and append again. See append.go, which every verb uses.
package verbs
