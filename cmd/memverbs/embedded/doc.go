// Package embedded is a memcached-compatible store inside the process, for a proxy
// without an upstream.
//
// The proxy uses it like any memcached: [Store.Dial] returns a connection, one end of a
// socket pair, over which the proxy speaks the text protocol. At the other end a
// goroutine parses requests with package protocol and answers them like memcached
// 1.6.45, byte for byte. Transcripts of that version are in testdata; the tests replay
// them with a Store, and on demand with a memcached.
//
// A key has an item, and an item never changes, except for the time when it was last
// read: every change, even an append or a new time to live, replaces the item by
// another one. The items are in an otter cache. Its Compute locks a key while it
// replaces the item, which makes append, incr and cas atomic; readers take no lock.
//
// Otter also removes items: those that have expired, by whole seconds as in memcached,
// and some when all items together exceed the store's memory. memcached evicts the
// least recently used items; otter also counts how often a key is used, so in a full
// store a new item that nobody reads may be evicted soon.
//
// The store differs from memcached in a few more details, on which no client should
// depend:
//
//   - A number that becomes shorter is always padded with spaces to its old length.
//     memcached does not pad if the item is being sent or moved at that moment.
//   - The E and T flags of ma also work if the number becomes longer. memcached ignores
//     them then.
//   - The time of an item's last read (mg l, me) is exact to the second, not only to
//     the minute.
//   - CAS values are unique and increasing, but not the same as memcached's.
//   - There are no slab classes, and me reports class 1; stats reports less; and
//     commands that administer a memcached are unknown.
//
// # Files, from the top down
//
//	dial.go serving.go                connections, and what clients ask for by them
//	dispatch.go                       what carries out each command
//	storage.go keyed.go retrieval.go  plain commands,
//	metacount.go metaget.go           meta commands,
//	metaset.go metadelete.go
//	metadebug.go flags.go
//	administration.go                 and those about the whole store
//	put.go number.go                  conditions and changes that these have in common
//	session.go                        a connection, and answers
//	flush.go                          flush_all
//	store.go stats.go                 all items, and counts of what is done with them
//	item.go time.go                   an item, and its expiry
//
// Four references go to files above: a Store has the state of flush_all and a clock for expiry, and stats.go reads
// its counts.
package embedded
