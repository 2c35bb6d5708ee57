// Package sharding says which upstream of a pool holds a key.
//
// A pool is a list of servers, and a [Layout] is a function from keys to
// indexes into that list. It is built once from the list and never changes
// after; it opens no connection, and knows neither which servers are up nor what
// the memcached protocol is. Whoever uses a pool owns the connections and asks
// the layout which of them to take. Every process that builds the same layout
// from the same list finds a key in the same place, without a word between
// them.
//
// That agreement is also what makes a change of client dear: a layout that
// differs in one detail sends keys to servers that don't have them, and the
// cache is cold at once. So a layout here places every key where the client or
// proxy whose name it bears does, and a test holds it to answers of that original
// (see testdata). [ByName] has them all; those for new pools are [NewJump] and
// [NewRendezvous]. [NewHashTag] and [NewUnhashedPrefix] may be put before any.
//
// What the originals do when a server fails is not part of a layout. Several of
// them then move its keys: to the next server they come upon (Dalli,
// python-memcached, spymemcached), or to a ring without the server (twemproxy
// with auto_eject_hosts, libmemcached with MEMCACHED_BEHAVIOR_REMOVE_FAILED_SERVERS,
// pymemcache, memcached for Node.js told to remove). Here a key never moves
// because a server is down: it is refused until the server is back. Otherwise a
// server that comes back would come with values that are out of date, and a
// failure of the network that only some clients see would give a key two homes.
//
// The layouts share two ways of placing keys, a ring with points on it (ring.go)
// and a remainder (modula.go). [ParseServer] reads a server the way people write
// it, and [Selector] lends a layout to Go programs that use gomemcache, so that
// they can share a pool with a proxy.
package sharding

// Layout places keys on the servers it was built from.
//
// Locate takes a key as it goes over the wire and returns an index into the
// slice of servers given to the constructor. It has an answer for every key,
// an empty or oversized one too. It is safe for concurrent use, allocates
// nothing, and neither changes the key nor holds on to it.
type Layout interface {
	Locate(key []byte) int
}
