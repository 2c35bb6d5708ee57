// Package execution runs verbs: the [Executor] of an event loop sends the operations that a
// verb asks for, see package verbs, and resumes the verb with the replies.
//
//	Executor.Begin ─▶ Execution ─▶ routine of package verbs
//	                     ▲  │ operations
//	                     │  ├─ append ──▶ appends: joined with others to the same item
//	             replies │  ├─ read ────▶ sharedReads: one for all who ask before it is sent
//	                     │  ├─ reads ───▶ one retrieval, if they are brief
//	                     │  ├─ other ───▶ upstream
//	                     │  └─ local ───▶ waits for memory (reservations), a later turn (turns), or another verb
//	                     └──────┘ … and the answer ─▶ Listener.VerbAnswered
//
// carryout.go begins a verb and sends what it asks for, operations.go and briefreads.go take the replies,
// core.go sends one operation to its upstream, and events.go has what the event loop calls. What an execution does or
// waits for is its stage (stage.go). While no verb runs, the loop calls no executor (work.go).
//
// # Appends of verbs
//
// While an append to an item is in flight, other verbs' appends to it wait, and are then joined into one
// (appendqueue.go, flight.go). They also wait while a verb holds the item because it is about to swap it, or to append
// to it if it is unchanged (hold.go). That verb may carry them out with its own change (takealong.go). The replies are
// delivered at the end of the callback (delivery.go). If verbs hold an item one after another, appends that have waited
// for long are sent in between. If memcached refuses an append because the item is full, later appends of the same
// client wait until that append is queued again (refusals.go).
//
// # Reads of verbs
//
// Structures that were read are kept in views, see package structure; each loop has its own. A
// small read, a probe, checks whether a view is still valid. While the probe waits to be written,
// verbs of other clients share it (sharedread.go). Fetches of several items of a structure are sent
// as one retrieval, and shared likewise, unless a verb asks for the time to live (briefreads.go). Where a view may be used
// without a probe, many verbs are answered from it without an execution (glances.go).
//
// # Calls that wait
//
// A call that is to wait until there is something for it is made like others, and made again later if it finds nothing
// (waits.go); package waiters of the verbs says when. Between that, only its request is kept (waitingcall.go).
//
// # Limits
//
// Verbs that read large structures, or have large arguments, first reserve memory; clients are served
// round-robin (fairqueue.go, reservations.go, argumentmemory.go). Long work, such as folding a large set, is done in
// slices, with a turn of the event loop between them, so that others are served meanwhile (turns.go). Long
// batches of reads, such as those of a table's rows, are limited and sent round-robin too (batches.go).
// [Caller.Conflicts] finds requests of a client that have to wait for its running verbs (conflicts.go).
//
// # Files, from the top down
//
// The queues only say which verb is next; events.go and delivery.go resume it.
//
//	events.go          what the event loop calls
//	fortests.go
//	conflicts.go       what has to wait for running verbs
//	delivery.go        replies to appends
//	glances.go         verbs that are answered from memory
//	waitingcall.go     calls that wait until there is something for them
//	displaced.go       verbs on structures that may be where they were before the servers changed
//	spaced.go          verbs on keys in namespaces
//	refuse.go          answering without an execution
//	wrapped.go
//	carryout.go        how a verb begins, goes on and ends
//	briefreads.go      several reads in one request
//	everywhere.go      a deletion on every upstream
//	records.go         what the upstreams say of the servers that there were
//	unsettled.go       why verbs are refused while servers change
//	operations.go      one operation, and its reply
//	sharedread.go
//	executor.go        all that runs the verbs of a pool on a loop
//	verbenv.go         what verbs see of it
//	waits.go           its calls that wait
//	takealong.go       appends that a verb takes along
//	hold.go
//	appends.go         the queues of appends
//	appendqueues.go
//	appendqueue.go
//	flight.go
//	refusals.go
//	argumentmemory.go  what verbs wait for
//	reservations.go
//	batches.go
//	turns.go
//	idle.go
//	caller.go          a client
//	fairqueue.go
//	execution.go       a verb that runs
//	trip.go
//	former.go          structures that a verb uses at former places
//	stage.go
//	attention.go       what a client still waits for
//	hints.go
//	core.go
//	pins.go            which structures are used at former places
//	executorenv.go
//	counts.go
//	work.go
//
// References from a file to one above it: an execution knows its executor and its caller; replies resume it
// (operations.go), also those to a shared read (sharedread.go), which the executor and the caller know; and a
// queue of appends knows the other queues of its loop.
package execution
