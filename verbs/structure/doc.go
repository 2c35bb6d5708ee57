// Package structure stores data structures in memcached as logs of tokens.
//
// The item under a structure's key is its head. A change appends tokens to the head, each
// followed by one space; memcached does that atomically. A read fetches the log and folds
// it, token by token. A read that finds many superfluous tokens answers first and then
// compacts: it replaces the log by the shortest equivalent one, by compare-and-swap,
// unless the log has changed meanwhile. Encoding and idea are Dustin Sallings's
// ("Maintaining a set in memcached").
//
// A log that outgrows the head continues in segments, which never change. Each consists of
// one or more items, its parts. The head has pointers, "@<id>:<parts>:<bytes> ", and then
// the newest tokens, the tail:
//
//	item "fruits":     @X:2:900000 @Y:1:50000 +fig -plum +kiwi
//	                       │            │     └──── tail ────┘
//	                       ▼            ▼
//	segments:              X            Y
//	their parts:     "fruits:X.0"  "fruits:Y.0"
//	                 "fruits:X.1"
//
//	log, oldest first: fruits:X.0  fruits:X.1  fruits:Y.0  tail
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
//	head.go segment.go kind.go       the format, and what kinds are
//	load.go loadheads.go             reading: the heads, then
//	loadsegments.go join.go use.go   the segments, as one log
//	append.go insert.go limits.go    writing, by appending or, if it is much, by swapping
//	tidy.go compact.go emptied.go    what follows a read or an append
//	settle.go merge.go plan.go       making a head short again: the plan of a change,
//	change.go                        and how it takes effect
//	probing.go                       parts in use are kept from being evicted
//	view.go views.go keepview.go     structures that are kept between calls
//	making.go glance.go
//	deciding.go decide.go            calls that depend on what they have read,
//	decisions.go round.go ground.go  decided together,
//	atonce.go leadatonce.go          and without a coroutine
//	order.go orderid.go              calls that nothing can prevent, while others
//	contention.go                    change the structure all the time
//
// A [Kind] defines what differs between kinds of structures: the letter of their tokens,
// and a [Fold], which computes the state that a log stands for. All else is done by an
// [Engine], see [EngineOf]. The head tells the kind of a structure, not the verb: a call
// that settles a structure of another kind folds it as what it is. So all kinds have to be
// registered, see [Register].
//
// A structure that was read is kept as a view. Later calls use the view if a probe of the
// head finds the same CAS and size. view.go has the rules that keep this correct, and
// views.go bounds the memory. A call that does no more than that, as most do, needs no
// coroutine (glance.go). Of calls that read a structure at the same time, one makes the view,
// and the others wait for it (making.go). Calls whose changes depend on what they have read,
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
package structure
