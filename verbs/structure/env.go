package structure

import "github.com/memverbs/memverbs/verbs"

// Env is all that the engine knows of the outside world. The [verbs.Env] of every call
// on structures implements it.
type Env interface {
	verbs.Env
	// Hold asks the proxy to hold back other calls' appends to the item under key, a part
	// of a structure, because a call is about to swap it (on), or ends that.
	Hold(structure, key []byte, on bool)
	// NoteLost reports that the structure of a kind under key is lost as a whole because a
	// part of it was evicted.
	NoteLost(key []byte, kind string)
	// NoteForeign reports that so many tokens of other kinds were dropped from the item under
	// key, a part of a structure and the head of one of the given kind.
	NoteForeign(structure, key []byte, kind string, tokens int)
	// KeepScratch keeps memory that no call needs now for the next large fold.
	// TakeScratch returns what was kept, or nothing.
	KeepScratch(Scratch)
	TakeScratch() Scratch
	// Views are the views of the event loop; nil if none are kept.
	Views() *Views
	// Decisions are the deciding calls of the event loop.
	Decisions() *Decisions
}
