// Package holding lets gets wait for a value that another client is about to store, so that hundreds of clients that miss a
// key at the same time don't all compute its value. It knows neither network nor clock: times are passed in, in
// microseconds.
//
//	a get has missed ──▶ Missed ──┬▶ nobody makes the value: its client gets the miss, and is the maker
//	                              └▶ somebody does: the get waits
//	                                    ├─ the key is stored, or a probe has found it ──▶ Stored: it asks again
//	                                    ├─ its time is over ──────────────────────────▶ its client gets the miss
//	                                    ├─ the maker's time is over, or the maker is gone,
//	                                    │  and it has waited for longest ─────────────▶ its client gets the miss, and is the maker
//	                                    └─ its client sends another command ──────────▶ Release: its client gets the miss
//
// A [Table] has what is being made, for all event loops of a process. A client that was told a miss never waits for that key
// until the key is stored: it may be making the value. This is remembered for [lasting] times as long as gets wait, if
// nobody stores the key.
//
// A get of several keys waits until all that others make are stored. It does not wait if it misses a key that nobody makes:
// its client becomes the maker of that key, and must learn of it at once. So no get that waits keeps a maker from its work, and
// two multi-gets can't wait for each other.
//
// # Files, from the top down
//
//	pass.go    what is done at what time
//	table.go   what is being made, and who waits
//	making.go  a value that is being made
//	wait.go    a get that waits
//	asker.go   a connection
//	probes.go  keys to ask for
//	keys.go    which keys, and for how long
package holding
