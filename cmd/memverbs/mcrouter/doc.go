// Package mcrouter converts the configuration of mcrouter, of its route handles those that memverbs has something like,
// to a file with settings of memverbs, with which every key stays on its server.
//
// The meaning of mcrouter's settings is that of its wiki (Config Files, List of Route Handles, Common setups, Routing
// Prefix) and of mcrouter/routes in its source. What can't be said with memverbs's settings is refused, with its place
// in the file, if keys or answers would be wrong without it. If memverbs only does less, such as a copy that is not
// written, there is a warning, which becomes a comment in the file too.
//
// A route handle leads to one pool at last, and may lead to copies and to a shadow besides:
//
//	PrefixSelectorRoute ─┬─ "a" ──▶ PoolRoute|one ───────────────────────▶ a route of a listener
//	                     └─ wildcard ──▶ FailoverRoute ─┬─ PoolRoute|two ─▶ a pool, the route for other keys
//	                                                    └─ PoolRoute|three ▶ its spare: on-down: spare:three
//
// # Files, from the top down
//
//	convert.go  a whole configuration
//	routing.go  which keys lead to which pool
//	handles.go  a route handle, and the pool to which it leads
//	copies.go   those that lead to several pools, as copies
//	shadows.go  pools that are sent a share of the requests too
//	write.go    the file that all becomes
//	pools.go    reading pools, and what of a pool a handle may use
//	config.go   what is being converted, and what is told of it
//	plain.go    JSON without comments
package mcrouter
