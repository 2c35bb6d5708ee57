// Package eventlogs implements the verbs on event logs, which keep recent events.
//
// Time is divided into chunks. Each chunk has its own items, which expire when all of their events have
// been kept for the promised time. This is a log l of 4 chunks while chunk 20 is the present one:
//
//	chunk     16     17     18     19     20     21
//	        older  ├────────── kept ─────────┤ early
//	items     -    l:17+1 l:18+1 l:19+1 l:20+1 l:21+1
//	               l:17+2               l:20+2
//	               l:17+3
//
// A chunk has a further item when one is full: see items.go. An event may be early, by one chunk at
// most. How long an item lives does not depend on the clock of a proxy: see life.go. The idea of storing the events
// of an interval in a few items that expire is Andrey Smirnov's ("memcached and data structures").
//
// # Files, from the top down
//
// References from a file to one above it: the list of verbs names logfetch, which fills the description for
// inspect too; logput.go, life.go and items.go call one another.
//
//	logdescription.go  what inspect tells
//	logfetch.go        logfetch
//	found.go           the events that it has found, in order
//	logseen.go         what one that waits has seen
//	logput.go          the list of verbs; logput
//	event.go           an event in an item
//	life.go            how long items live
//	items.go           the items of a chunk
//	chunks.go          how time is divided
//	logwords.go        how the lines of the verbs are parsed
package eventlogs
