// Package shadow says which keys of a route are sent to a second pool too, its shadow, and compares what both pools find. It
// knows neither network nor clock.
//
//	key ──▶ Share.Has ──▶ the pool of the route ──▶ the client
//	               └yes─▶ the shadow ─────────────▶ counted, and dropped
//
// A shadow serves to try servers with the requests of real clients, who notice nothing: they get the answer of their own pool,
// and wait for no other. Whatever the shadow can't take at once is not sent there.
//
// The share is of the keys rather than of the requests, because a get finds only what was set. All requests for a key are
// sent to the shadow, or none, by every proxy and after every restart; and a larger share has all keys of a smaller one.
//
// # Files, from the top down
//
//	compare.go  what both pools find
//	share.go    which keys are sent to the shadow
package shadow
