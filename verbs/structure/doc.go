// Package structure stores data structures in memcached as logs of tokens.
//
// Package format has how these are laid out. A change appends tokens to the head of a structure; memcached does that
// atomically. A read fetches the log and folds it, token by token. A read that finds many superfluous tokens answers
// first and then compacts: it replaces the log by the shortest equivalent one, by compare-and-swap, unless the log has
// changed meanwhile. Encoding and idea are Dustin Sallings's ("Maintaining a set in memcached").
//
// Segments and tail form a small log-structured merge-tree (O'Neil and others, "The
// log-structured merge-tree"). A log lives like this (t is a token):
//
//	append   @X @Y ttt       →  @X @Y tttt
//	settle   @X @Y tttttttt  →  @X @Y @Z     the head is too long: its tail becomes a segment
//	merge    @X @Y @Z        →  @V @Z        X and Y are of similar size: they become one
//	compact  tttttttt        →  ttt          only tokens, many of them superfluous
//
// Settling also folds in small segments before the tail. Merging leaves these alone, since the head
// is settled many times while large segments are merged.
//
// What differs from kind to kind of structures, its [format.Kind] says. All else is done by an [Engine], see
// [EngineOf]. The head tells the kind of a structure, not the verb: a call that settles a structure of another kind
// folds it as what it is.
//
// A structure that was read is kept as a view. Later calls use the view if a probe of the
// head finds the same CAS and size, see package views. A call that does no more than that, as most do, needs no
// coroutine (glance.go). Of calls that read a structure at the same time, one makes the view,
// and the others wait for it. Calls whose changes depend on what they have read,
// such as popping a member, are decided together (decide.go), and usually need no coroutine either
// (atonce.go). Their append carries the appends of other calls too that are held back
// meanwhile (ground.go). If others change the structure all the time, they are carried out by
// whoever folds the log (order.go).
//
// Verbs change the head in three ways only, which is why all this is correct:
//
//   - Tokens are appended. That is one atomic operation.
//   - The beginning of the head is replaced by an equivalent text, by compare-and-swap,
//     and what has been appended meanwhile is kept after it (change.go). No answer
//     depends on whether, when or how often that happens.
//   - The whole head is swapped, or appended to, only if it has not changed since it was
//     read (insert.go, ground.go).
//
// A segment is written before the head points to it, and deleted after the head has
// stopped pointing to it. Its id is never used again. So a part that is missing while the
// head points to it was evicted. Then the structure is lost as a whole, like an evicted
// item, and its head is deleted before any client is told.
//
// # Files, from the top down
//
// One reference runs up: an [Engine] holds how far its call has come that decides without a coroutine, so that
// such a call allocates nothing.
//
//	deciding.go              a verb that decides, with or without a coroutine
//	decide.go                a decision on a coroutine: alone, for all that wait, or by an order
//	describe.go glance.go    what there is to know of a structure; answers from a view
//	keeper.go                what the engine keeps for later calls
//	leadatonce.go atonce.go  a decision without a coroutine, and its stages
//	order.go                 orders: changes that nothing can prevent
//	round.go ground.go       the decisions that are made at once, and the view that they are made on
//	append.go insert.go      writing, by appending or, if it is much, by swapping
//	tidy.go                  what follows an append
//	merge.go                 similar segments become one
//	answer.go read.go        answers
//	compact.go settle.go     a shorter log, a shorter head
//	plan.go emptied.go       the plan of that; nothing is left
//	change.go                how a plan takes effect
//	probing.go               parts in use are kept from being evicted
//	load.go loadheads.go     reading: the heads, then
//	loadsegments.go join.go  the segments, as one log
//	foreign.go               tokens of other kinds
//	folds.go                 the folds of a call, and their memory
//	refusals.go full.go      why a call fails; structures that are full
//	lead.go limits.go        who decides for others; how long a head may become
//	upstreamtime.go          the time by memcached's clock
//	keepview.go              the views that a call uses and makes
//	engine.go                the state of a call, and its questions to memcached
//	loaded.go                a structure that is read
//	env.go scratch.go        what the engine knows of the outside, and has from there
//	decisions.go             the calls of an event loop that decide
//	use.go                   what a verb does with what it loads
//	contention.go            structures that others change all the time
//	seenfull.go              structures that were full
package structure
