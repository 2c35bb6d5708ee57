// Package locks implements the verbs on locks: for a while, one client does what no other
// may do at the same time.
//
// # The idea
//
// memcached stores an item by add only if there is none, so of all clients that add the
// same item one succeeds: it holds the lock until it deletes the item or the item expires.
// Four traps are in that, and the verbs are there to avoid them:
//
//   - A holder that takes longer than it expected must not release the lock of the next holder. So
//     the item says who holds the lock, by a token that the client makes up, and is deleted or
//     replaced only with the CAS under which that token was read.
//   - touch takes no CAS, so it might prolong the lock of another: the item is stored again
//     instead.
//   - memcached counts whole seconds, so an item lives up to a second less than its exptime says.
//     And its clock is a timer that is set again after each tick, so that each tick comes a little
//     later, until one of them counts two seconds: then an item lives up to two seconds less. So
//     two seconds are added.
//   - When memcached has hung, its clock is late for a moment, and an item stored then lives
//     shorter by the same time. So after memcached has been silent, the verbs check the item's time
//     to live once more (silence.go).
//
// # What is stored
//
// The item under the lock's name is a structure of the letter x: its first token,
//
//	x:<token>␠
//
// says who holds the lock. Tokens of other kinds after it, which clients have appended by mistake,
// have no effect (item.go). A lock of several holders has several such items, its places (places.go); their tokens begin with
// x and the number of holders.
//
// # The laws
//
//  1. A client that gets STORED holds the lock for as many seconds as it asked for, by
//     memcached's clock and counted from when it sent the request, unless it asks for
//     something else meanwhile, memcached evicts or loses the item, or somebody changes the
//     item by a plain command.
//  2. No other token gets STORED or DELETED meanwhile; of a lock of several holders, no more others than one fewer than
//     the largest number that anybody asks for.
//  3. Repeating a request with the same token is harmless. If an outcome is unknown, repeating the
//     request tells the client.
//
// The clocks of proxies and clients have no part in this. What a client still does when its time is
// over has to be made harmless by other means, see README.md.
//
// The idea is as old as memcached's add; the traps are those of "Distributed locks with
// Redis" (Salvatore Sanfilippo) and of its critique, "How to do distributed locking"
// (Martin Kleppmann).
//
// # Files, from the top down
//
//	locks.go      the verbs
//	describe.go   who holds the places of a lock
//	places.go     locks of several holders
//	silence.go    locks that are taken when memcached has hung
//	lockcall.go   a call, and what it asks for
//	item.go       the stored item
//	lockwords.go  how the lines of the verbs are parsed
package locks
