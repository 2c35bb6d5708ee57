// Package eventlogs implements the verbs on event logs, which keep recent events.
//
// Time is divided into chunks. The events of a chunk are in one item of a ring, which
// expires before a later chunk uses the item again. This is a log l with a ring of 4 items
// while chunk 20 is the present one:
//
//	chunk     16     17     18     19     20     21
//	        older  ├────────── kept ─────────┤ early
//	item      -      l:1    l:2    l:3    l:0    l:1, shared with chunk 17
//	overflow         l:17+1               l:20+1
//	items            l:17+2
//
// An early event, at most one chunk ahead, goes to an item that the oldest chunk still
// uses: see renew.go. So may the first events of a chunk, as clocks differ, and those after an
// upstream was silent, as a memcached that has hung goes on with a clock that is late. A chunk
// that outgrows its item continues in overflow items: see overflow.go. The idea of the ring is
// Andrey Smirnov's ("memcached and data structures").
package eventlogs
