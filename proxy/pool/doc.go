// Package pool places keys on the upstreams of an event loop: it says which [Member] owns a key,
// and has the queues of clients and verbs that wait for it.
//
//	key ──Pool.Owner──▶ Member ──Admits──▶ upstream.Connection, first or second
//	                      │
//	                      ├─ queues: for room on either connection, for values of unknown size,
//	                      │  and to begin verbs
//	                      └─ WhenTried: for the first attempt to connect
package pool
