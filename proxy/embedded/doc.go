// Package embedded is a memcached-compatible store inside the process, for a
// proxy that was given no memcached to stand in front of.
//
// The proxy is not to know the difference: it asks [Store.Dial] for a
// connection, which is one end of a socket pair, and speaks the text protocol
// over it. At the other end a goroutine reads requests with package protocol
// and answers them as memcached 1.6.45 does, byte for byte. Transcripts of
// that version are kept in testdata; the tests type them into a Store, and on
// demand into a memcached.
//
// What is kept under a key is an item, and an item never changes (but for a
// note of when it was last read): every change, be it an append or a new time
// to live, puts another item in its place. The items are in an otter cache.
// Its Compute locks a key while it decides what becomes of the item, which is
// what makes appending, counting and comparing atomic; readers take no lock.
//
// Otter also forgets. An item leaves when its time is up, measured in whole
// seconds as memcached does, or when the items together weigh more than the
// store may hold. Which ones then go is otter's choice, and where memcached's
// is the least recently used, otter's also counts how often a key was used: in
// a full store an item that nobody asks for may go soon after it came.
//
// The store differs from memcached in a few more things that no client should
// depend on:
//
//   - A number that shrinks is always padded with spaces to its old length.
//     memcached does so unless the item is being sent or moved at that moment.
//   - The E and T flags of ma hold too if the number needs more room than it
//     had. memcached forgets them then.
//   - When an item was last read (mg l, me) is known to the second, and not
//     only to the minute.
//   - A CAS is unique and grows, but not by the same steps.
//   - There are no slab classes, and me says 1; stats tells less; and commands
//     that administer a memcached are unknown.
package embedded
