package structure

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/views"
)

// Env is all that the engine knows of the outside world. The [verbs.Env] of every call
// on structures implements it.
type Env interface {
	verbs.Env
	// Hold asks the proxy to hold back other calls' appends to the item under key, a part
	// of a structure, because a call is about to swap it (on), or ends that.
	Hold(structure, key []byte, on bool)
	// TakeAlong takes the appends to that item which a hold keeps back, up to so many bytes, and returns
	// their tokens. The call that holds the item appends these together with its own, and tells by
	// TookAlong what came of it: Stored; Failed; or another status if nothing was appended. Then they go
	// out by themselves, at once.
	TakeAlong(structure, key []byte, most int) (tokens []byte)
	TookAlong(structure, key []byte, outcome verbs.Reply)

	// Overdue reports whether appends to that item have been held back for so long that they go out
	// before the next hold.
	Overdue(structure, key []byte) bool

	// NoteLost reports that what a kind names is lost as a whole because a part of it was evicted:
	// the structure of that kind under key, or what a part of a structure under key stands for.
	NoteLost(structure, key []byte, kind string)
	// NoteForeign reports that so many tokens of other kinds were dropped from the item under
	// key, a part of a structure and the head of one of the given kind.
	NoteForeign(structure, key []byte, kind string, tokens int)
	// NoteFull reports that the structure under key has no room for what a call has tried to add, or to
	// settle.
	NoteFull(structure []byte)
	// NoteUncached reports that the structure under key was read once more, and is not kept as a view
	// because it takes so many bytes of memory.
	NoteUncached(structure, key []byte, bytes int)
	// KeepScratch keeps memory that no call needs now for the next large fold.
	// TakeScratch returns what was kept, or nothing.
	KeepScratch(Scratch)
	TakeScratch() Scratch
	// Views are the views of the event loop; nil if none are kept.
	Views() *views.Views
	// Decisions are the deciding calls of the event loop.
	Decisions() *Decisions
}
