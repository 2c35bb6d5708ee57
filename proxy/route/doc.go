// Package route is which pool, and which of its servers, has a key, on one event loop: a [Table] for the clients of each
// listener, and the loop's side of each [Pool], its connections, verbs and counts.
//
//	key ──▶ Table ──the route with the longest prefix──▶ Pool ──its layout──▶ pool.Member
//	                                                      └──while that is down──▶ the spare pool's
//
// A route may strip its prefix from the keys. A table says too what its clients may not ask for, and how many of a
// request's keys name verbs. It never changes: a reload replaces it.
//
// # Files, from the top down
//
//	allowed.go     what is refused
//	strip.go       requests with the keys that are stored
//	carriage.go    how many keys name verbs
//	table.go       which pool has a key
//	spare.go       what goes to the spare pool while a server is down
//	looppool.go    the loop's side of a pool
package route
