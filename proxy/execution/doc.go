// Package execution carries out verbs: the [Executor] of an event loop takes each through the
// operations that it asks for, see package verbs, and brings it the replies.
//
//	Executor.Begin ─▶ Execution ─▶ routine of package verbs
//	                     ▲  │ operations
//	                     │  ├─ append ──▶ appends: joined with others to the same item
//	             replies │  ├─ read ────▶ sharedReads: one for all who ask before it is sent
//	                     │  ├─ other ───▶ upstream
//	                     │  └─ local ───▶ rooms: memory; turns: a pause; another verb
//	                     └──────┘ … and the answer ─▶ Listener.Told
//
// # What verbs append
//
// While an append to an item is under way, what other verbs of the loop append
// to it waits and then goes out as one. And it waits while a verb holds the
// item because it is about to swap it (appends.go).
//
// # What verbs read
//
// What was read of structures is kept in views, see package structure; each loop has its
// own. Whether one is still true is asked of memcached with a small read, and while that
// waits to be written, verbs of other clients share it (sharedread.go).
//
// # Limits
//
// Verbs that read large structures, or have large arguments, are given room in the memory
// before they fill it, one client after another (rooms.go, argumentroom.go). And what
// takes them long, such as to fold a large set, is done a slice at a time, with a turn of
// the event loop in between, so that others are served meanwhile (turns.go). Verbs of one
// client that could conflict with its other requests are known by [Caller.Conflicts].
package execution
