// Package pool places keys on the upstreams of an event loop: it says which [Member] owns a key,
// and has the queues of clients and verbs that wait for it.
//
//	key ──Pool.Owner──▶ Member ──Admits──▶ upstream.Connection, first or second
//	                      │
//	                      ├─ queues: for room on either connection, for values of unknown size,
//	                      │  and to begin verbs
//	                      └─ WhenTried: for the first attempt to connect
//
// # Files, from the top down
//
//	waiting.go                       how many wait, for tests
//	ownership.go                     which upstream owns a key
//	member.go                        an upstream
//	connectionqueue.go newcomers.go  who waits for it
//	slots.go                         how many verbs run
//
// References from a file to one above it: the queues of a Member ask it whether it is retired, and for its connections.
package pool
