// Package near keeps values that plain gets have found, for the whole process and for a short time, so that a hot key
// does not ask its server again and again. A pool has a [Cache] if its setting near names prefixes of keys.
//
//	get ──▶ Find ──▶ a value that is young enough
//	          └────▶ Ask ──▶ Joined: a get under way will answer this one too
//	                   └───▶ a Fetch: this get asks the server ──▶ End keeps what it has found, and tells those that joined
//
//	change ──▶ Begin ──▶ the server ──▶ End
//
// A value is kept from when its get was sent. So it is never older than the time that the setting gives, whoever has
// changed it. What this process changes is seen at once: every change is marked before it is sent and after its reply
// (marks.go), and a value is used only if no change is under way and none has ended since its get was sent. Such a get
// may have been answered before the change or after it; nobody knows.
//
// What calls of verbs have found of structures is kept elsewhere (package views of verbs/structure), by each loop. The cache
// says whether it may be used without asking again, by the same rule: see [Cache.Recent].
//
// Event loops use a cache at the same time, so it is locked, in parts.
//
// # Files, from the top down
//
//	fetch.go  gets that ask the server, and those that wait for their answer
//	cache.go  the values
//	marks.go  changes
//	quota.go  the memory for all caches
package near
