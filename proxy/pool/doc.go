// Package pool is the clients' and verbs' side of an event loop's upstreams: which [Member]
// owns a key, and who waits for it.
//
//	key ──Pool.Owner──▶ Member ──Admits──▶ upstream.Connection, first or second
//	                      │
//	                      ├─ queues: for room on either connection, for values of unknown size,
//	                      │  and to begin verbs
//	                      └─ WhenTried: for the first attempt to connect
package pool
