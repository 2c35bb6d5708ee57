// Package route finds the pool, and the server in it, that has a key. Each event loop has a [Table] for the clients of
// each listener, and its own side of each [Pool]: connections, verbs and counts.
//
//	key ──▶ Table ──the route with the longest prefix──▶ Pool ──its layout──▶ pool.Member
//	                                                      └──while that is down──▶ the spare pool's
//
// A route may strip its prefix from the keys. A table also says which requests its clients may not send, and how
// many of a request's keys name verbs. It never changes: a reload replaces it.
//
// # Files, from the top down
//
//	allowed.go   what is refused
//	strip.go     requests with their keys as they are stored
//	carriage.go  how many keys name verbs
//	routing.go   which pool has a key
//	copies.go    pools that all have the keys of a route
//	shadow.go    what is sent to another pool too
//	spare.go     what goes to the spare pool while a server is down
//	looppool.go  the loop's side of a pool
//	moving.go    the move of its keys to other servers
package route
