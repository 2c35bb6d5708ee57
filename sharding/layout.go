// Package sharding decides which upstream of a pool holds a key.
//
// A pool is a list of servers, and a [Layout] is a function from keys to indexes into
// that list. It is built once from the list and never changes afterwards. It opens no
// connection and knows neither which servers are up nor the memcached protocol: the
// user of the pool owns the connections and asks the layout which one to use. Processes
// that build the same layout from the same list place each key alike without
// coordination.
//
// To replace a client or proxy by one whose layout differs in one detail is expensive: keys
// are looked up on servers that don't have them, so that the cache is cold at once.
// Therefore each layout here places every key where the client or proxy of the same name
// does, and tests compare it with recorded answers of that original (see testdata).
// [ByName] knows all layouts. Two of them, jump and rendezvous, are for new pools. [NewHashTag] and
// [NewUnhashedPrefix] can wrap any layout.
//
// What the originals do when a server fails is not part of a layout. Several originals
// move its keys then: to the next server they find (Dalli, python-memcached,
// spymemcached), or to a ring without the server (twemproxy with auto_eject_hosts,
// libmemcached with MEMCACHED_BEHAVIOR_REMOVE_FAILED_SERVERS, pymemcache, memcached for
// Node.js with its option remove). Here a key never moves because a server is down: it is
// refused until the server is back. Otherwise a server would return with stale values,
// and a network failure that only some clients see would put one key on two servers.
//
// Most layouts place keys in one of two ways. On a ring (ring.go), servers own many
// points, and a key belongs to the first point at or after its hash:
//
//	0 ┄┄┄┄ A ┄┄┄┄┄┄ C ┄┄┄┄┄┄┄┄ B ┄┄┄┄┄┄┄┄┄ A ┄┄┄┄ C ┄┄┄┄┄ 2³²−1, then 0 again
//	                     ▲───▶
//	                hash(key): the server is B
//
// By a remainder (modula.go), servers own as many consecutive slots as their weight:
//
//	hash(key) mod 4:   0 A   1 A   2 B   3 C     (A has weight 2)
//
// [ParseServer] parses a server as users write it. [Selector] makes a layout usable by
// Go programs with gomemcache, so that they can share a pool with a proxy.
package sharding

// Layout places keys on the servers it was built from.
//
// Locate takes a key as sent over the wire and returns an index into the slice of
// servers given to the constructor. It accepts every key, even an empty or oversized
// one. It is safe for concurrent use, allocates nothing, and neither changes nor
// retains the key.
type Layout interface {
	Locate(key []byte) int
}
