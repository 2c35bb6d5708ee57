package structure

import "github.com/memverbs/memverbs/verbs"

// Env is what the engine knows of the world. The [verbs.Env] of every call on
// structures is one.
type Env interface {
	verbs.Env
	// Hold says that the call is about to swap the item under key and that
	// what other calls append to it is better held back, or that this is over.
	Hold(key []byte, on bool)
	// NoteLost says that the structure under key was found incomplete: a part had
	// been evicted, so it is gone as a whole.
	NoteLost(key []byte)
	// KeepScratch takes memory that a large fold has used and that no call needs
	// now, for the next one. TakeScratch returns what was kept, if it still is.
	KeepScratch(Scratch)
	TakeScratch() Scratch
	// Views are the structures that were read lately; nil if nothing is to be kept.
	Views() *Views
	// Decisions are the calls that decide on the structure that they are about.
	Decisions() *Decisions
}
