package structure

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// settler is the part of an [Engine] that folds what a structure has, by a [plan]: to make its head shorter
// (settle.go), to have fewer segments (merge.go), and for a change that is too long to append (insert.go).
type settler struct {
	*call
	limits *limits
	folds  *folds
	clock  *clock
	loader *loader
	writer *writer

	// Prune drops members that are not needed any more, for a reason that only the verb knows,
	// from the fold of a log that is about to be rewritten, and from that log. If stuck says that the structure
	// was full lately, it drops all of them, else it may leave some. It may ask for operations. What was
	// appended meanwhile comes after the removals. It adds what it drops to dropped, and returns Hit, or why it failed.
	// It is nil if nothing is ever pruned.
	Prune func(fold format.Fold, stuck bool, dropped *Dropped) verbs.Reply
}
