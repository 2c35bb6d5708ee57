// Package structure stores data structures in memcached as logs of tokens.
//
// Package format defines how these are laid out in items. A change appends tokens to the head of a structure;
// memcached does that atomically. A read fetches the log and folds it, token by token. A read that finds many
// superfluous tokens answers first and then compacts: it replaces the log by the shortest equivalent one, by
// compare-and-swap, unless the log has changed meanwhile. The idea and the encoding are Dustin Sallings's
// ("Maintaining a set in memcached").
//
// Segments and tail form a small log-structured merge-tree (O'Neil and others, "The
// log-structured merge-tree"). A log lives like this (t is a token):
//
//	append   @X @Y ttt       →  @X @Y tttt
//	settle   @X @Y tttttttt  →  @X @Y @Z     the head is too long: its tail becomes a segment
//	merge    @X @Y @Z        →  @V @Z        X and Y are of similar size: they become one
//	compact  tttttttt        →  ttt          only tokens, many of them superfluous
//
// Settling also folds the small segments before the tail. Merging leaves these alone, since the
// head is settled many times while large segments are being merged.
//
// A [format.Kind] defines what differs between kinds of structures. All else is done by an [Engine], see
// [EngineOf]. The head determines the kind of a structure, not the verb: a call that settles a structure of another
// kind folds it as that kind.
//
// A structure that was read is kept as a view. Later calls use the view if a probe of the head finds the same CAS and
// size, see package views, or without a probe where that is allowed (recent.go). Most calls do no more than that, and
// need no coroutine (glance.go). Of calls that read a structure at the same time, one makes the view, and the others wait
// for it.
// Calls whose changes depend on what they have read, such as popping a member, are decided together
// (decide.go), and usually need no coroutine either (atonce.go). Their append also carries out the appends of
// other calls that are held back meanwhile (ground.go). Appends between two decisions are sent under the CAS of the view,
// too, so that it stays up to date (ledappend.go). Where many calls do so, they gather until the loop has read all its clients
// (gather.go). If others change the structure all the time, these
// calls append orders, which take effect when the log is folded (order.go). Calls that have no orders ask for precedence over
// those of the other event loops of their process (precedence.go).
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
// A segment is written before the head points to it, and deleted after the head has stopped
// pointing to it. Its id is never used again. So a part that is missing while the head points to it
// was evicted. Then the structure is lost as a whole, like an evicted item, and its head is deleted
// before any client gets an answer.
//
// # Files, from the top down
//
// An [Engine] consists of parts. Each knows those that follow it in this list, and none before it: tidier, leader,
// compactor, settler, writer, loader, clock, folds, limits, call. What each is, and what it has, is in the file of its
// name; what it does with a structure is in those above that.
//
// One reference runs up: the leader holds how far its call has come that decides without a coroutine, so that
// such a call allocates nothing.
//
//	deciding.go              a verb that decides, with or without a coroutine
//	glance.go append.go      a verb that answers from a view; a verb that appends
//	ledappend.go             an append that calls which decide wait for
//	gather.go                calls that wait for the end of a turn, to decide together
//	read.go                  answers from what was read
//	keeper.go                what the engine keeps for later calls
//	engine.go                an engine is made of its parts
//	tidier.go                what follows an append
//	decide.go                a decision on a coroutine: alone, for all that wait, or by an order
//	leadatonce.go atonce.go  a decision without a coroutine, and its stages
//	order.go                 orders: changes that nothing can prevent
//	round.go ground.go       the decisions that are made at once, and the view that they are made on
//	claim.go                 what the call may do with that view, and the appends that it takes along
//	leader.go                who decides for others
//	compactor.go             a shorter log
//	insert.go                a change that is too long to append
//	merge.go                 similar segments become one
//	settle.go                a shorter head
//	plan.go                  the plan of that
//	settler.go               who plans
//	writer.go                how a plan takes effect
//	change.go foreign.go     a change to a head; tokens of other kinds, which it drops
//	dropped.go               members that it drops
//	emptied.go               nothing is left
//	describe.go answer.go    what there is to know of a structure; room for an answer
//	probing.go               parts in use are kept from being evicted
//	load.go loadheads.go     reading: the heads, then
//	loadsegments.go join.go  the segments, as one log
//	recent.go                views that need no probe for a while
//	keepview.go              the views that a call uses and makes
//	loader.go                what a call has loaded
//	clock.go                 the time by memcached's clock
//	folds.go                 the folds of a call, and their memory
//	full.go refusals.go      structures that are full; why a call fails
//	limits.go                how long a head may become
//	call.go                  a call, and its questions to memcached
//	loaded.go                a structure that is read
//	env.go scratch.go        what the engine knows of the outside, and has from there
//	decisions.go             the calls of an event loop that decide
//	precedence.go            which event loop of a process decides next
//	use.go                   what a verb does with what it loads
//	contention.go            structures that others change all the time
//	seenfull.go              structures that were full
package structure
