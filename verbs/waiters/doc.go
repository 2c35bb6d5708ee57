// Package waiters has the calls that wait until there is something for them: an element to pop, a task to take, an
// event to read. It knows no verb, and uses no network, clock or goroutines.
//
// A call that waits does nothing that others don't: it is made, like one that does not wait, and if it finds nothing
// it is made again later. The [Table] of an event loop says when, and for which of the calls that wait:
//
//	            it finds something, or its time is over
//	       ┌────────────────────────────────────────────▶ answered
//	Await ─┴▶ tries ──finds nothing──▶ waits ──its turn──▶ tries …
//	                                     └─its time is over──▶ answered, like the last one that found nothing
//
// The calls for one structure wait in a line, in the order in which they have asked. The first tries when something was
// added through this process ([Awaited.Fed], whichever loop did so), and now and then, in case others have added
// something: that is the only reason to ask the upstream, however many calls wait. If it finds something, the next two
// try, then four, until one finds nothing.
//
// Calls that take nothing from each other, such as those that read a log, are all served with the same. Of them, one
// probes, and the others try if it has seen something new.
//
// No wake-up is lost. A line is among the [Awaited] before its first call tries, and whoever adds something looks there
// after it was added. So either the line is found there and woken, or what was added is there when the call tries. A
// line that is woken while calls try has its first call try once more.
//
// # Files, from the top down
//
//	table.go    the calls of an event loop that wait
//	line.go     those for one structure, and when they try
//	probes.go   the same for those that take nothing from each other
//	waiter.go   one of them
//	result.go   what it comes to
//	awaited.go  what all loops of a process wait for
//
// References from a file to one above it: a waiter knows its line, and a line its table; and their alarms name what is
// due then.
package waiters
