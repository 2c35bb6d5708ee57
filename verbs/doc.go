// Package verbs holds the commands that memcached lacks, each as a
// straight-line program over memcached's own operations.
//
// A verb is a value, a [Verb]: its name, how a request for it is read, what it does to
// the items that it is about, and a function of a [Call], which asks for one operation
// after another (or for several at once) and answers the client:
//
//	var scard = Verb{
//		Verb:  protocol.Verb{Name: "scard", Usage: "<key>", Read: keyList(1, 1)},
//		Reads: true, ReadOnly: true,
//		run: func(c *Call) {
//			r := c.ask(Op{Kind: Fetch, Key: c.key})
//			…
//			c.sayf("%d", c.set.Live())
//		},
//	}
//
// Parsers, help, statistics, the order of a connection's commands and the keys by which
// ordinary commands carry verbs all follow from the value. To add one, write it beside
// its like, name it in catalog.go, tell of it in README.md, and show it in a transcript
// (tests/transcripts).
//
// Each ask suspends the function until the replies are there. A [Routine] runs
// it as a coroutine: [Routine.Start] and [Routine.Resume] return the
// operations that it waits for, and whoever drives the routine carries them
// out, be it the proxy over the network or a test over a model of memcached. A
// change that comes to one append, as most do, goes without (direct.go).
// The package itself has no network, no clock and no goroutine: time and what
// is known of the upstreams come from the [Env], so that a run can be repeated.
//
// All items of a structure live on the upstream that owns its key, see [Op.RoutingKey].
// So its operations travel on one connection, in order, and no other server matters.
//
// Some of what a verb asks for is not for memcached but for whoever drives the
// routine, see [Op.Local]: to let others have their turn in the middle of long work
// (pace.go), and for room in memory before it reads something large (room.go).
// What was read is valid only until the verb asks for the next thing. So what takes
// more than a slice to work on is copied first; small structures, which are nearly
// all, are worked on where they are, in one go, and ask for nothing.
//
// # Sets
//
// A set is a log of tokens, each followed by one space: "+m " adds the member m
// and "-m " removes it. Adding and removing append to the item under the key,
// the head, which memcached does atomically; reading fetches it and folds it, in
// order. A read that finds many dead tokens answers first and then swaps a
// compacted log in, with a compare-and-swap that lets it go if anything has
// changed. The encoding and the idea are Dustin Sallings's ("Maintaining a set
// in memcached").
//
// What was read of a set is kept as a view, and used again for as long as a probe of the
// head finds the same CAS and size: see view.go, which has the rules that keep this
// right, and views.go, which bounds the memory. To fold a log is most of what this proxy
// does for a set that has changed: see set.go.
//
// A log that outgrows the head goes on in segments: items that never change, to
// which the head points with "@<id>:<parts>:<bytes> " in front of its tokens.
// Together they are a small log-structured store (O'Neil and others, "The
// log-structured merge-tree"): who finds the head too long folds its tokens, and
// small segments, into a new one (settle.go); those that become similar in size
// are merged (merge.go). See segment.go for the format, load.go for reading.
//
// All this is the same for any kind of structure that is a log of tokens. What a kind has
// of its own is a [Kind]: the letter of its tokens, and what they come to, a [Fold]. The
// kind of a structure is named by its head, not by the verb: whoever folds one away, to
// keep it short, folds it as what it is.
//
// What keeps this right is that three kinds of change are all there are:
//
//   - Tokens are appended to the head. Only this answers a client, and it is
//     one operation.
//   - The beginning of the head is replaced by something that means the same,
//     by compare-and-swap, with what was appended meanwhile left behind it
//     (change.go). It does not matter whether, when or how often that happens.
//   - The whole head is swapped, only if nothing was appended since it was read
//     (insert.go), or removed from (pick.go).
//
// A segment is written before the head points to it and deleted after it does no
// more, and its id is never used again. So a part that is missing while the head
// still points to it was evicted; then the structure is gone as an evicted item
// is, and to make that true its head is deleted before anybody is told.
//
// An operation of which the outcome is unknown is never repeated, and nothing
// is cleaned up behind it. What then lies about is left to memcached to evict.
//
// # Event logs
//
// An event log is a ring of items, each holding the events of one stretch of
// time, the chunk, and expiring before its place in the ring is used again.
// The idea is Andrey Smirnov's ("memcached and data structures"). See
// renew.go for what becomes of events that are early, and overflow.go for a
// chunk that outgrows an item.
//
// # What memcached makes of append
//
// Appending answers "not stored" both where there is no item and where the
// item would outgrow the limit, and says nothing more. From 1.6.20 on a meta
// set can append or create in one round trip; before that it takes append,
// add, and append again. See append.go, which every verb uses.
package verbs
