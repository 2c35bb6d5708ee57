// Package views keeps structures that were read, with their folds, so that those that have not changed need not be
// read and folded again.
//
// A call finds a [View] in the [Views] of its event loop, probes the head of the structure, and uses the view if
// the probe finds the version that the view was made of. Otherwise the call reads the structure; the view is then
// extended by what was appended, or replaced:
//
//	             probe: the same version
//	            ┌────────────────────────> used, until the call ends (Loans)
//	kept ───────┤
//	  ▲         │ another version
//	  │         ├────────────────────────> tokens were appended: the view is extended (CatchUp)
//	  │         ├────────────────────────> settled: what was read begins with the view's log, and the view is extended (Follow)
//	  │         └────────────────────────> dropped
//	  └── made of what was read, by one call for all that read the structure meanwhile (Makings)
//
// What a view has of a structure's segments is not read again, and neither is a segment that this process has written itself
// ([View.Wrote]). A head of which there is a view is settled by the view's fold, if all of the structure is folded.
//
// Only structures that were read twice within a while are kept. All loops share a [Quota] of memory, and each drops
// the views that it has not used for longest.
//
// memcached evicts the least recently used items first. Because of the view, the parts of its structure are not
// read any more, so they have to be probed from time to time, see [View.WantsProbe].
//
// # Files, from the top down
//
//	eager.go     for tests
//	views.go     the views of an event loop
//	quota.go     the memory that the loops share
//	loans.go     the views that a call uses
//	view.go      a view, and the rules that keep it correct
//	wrote.go     the segment that this process has written last
//	making.go    views being made, each by one call while others wait
//	reading.go   what a view is made of
package views
