package structure

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/views"
)

// Env is all that the engine knows of the outside world. The [verbs.Env] of every call
// on structures implements it.
type Env interface {
	verbs.Env
	// Hold makes the proxy hold back other calls' appends to the item under key, a part of a
	// structure, because a call is about to swap it. With on false it ends that.
	Hold(structure, key []byte, on bool)
	// TakeAlong takes appends to that item that are held back, up to most bytes, and returns their
	// tokens. The call that holds the item appends these together with its own, and then calls TookAlong
	// with the outcome: Stored; Failed; or another status if nothing was appended. In the last case the
	// appends are sent separately, at once.
	TakeAlong(structure, key []byte, most int) (tokens []byte)
	TookAlong(structure, key []byte, outcome verbs.Reply)

	// Overdue reports whether appends to that item have been held back for so long that they are
	// sent before the next hold.
	Overdue(structure, key []byte) bool

	// NoteLost reports that something is lost as a whole because a part of it was evicted: the
	// structure under key, whose kind is kind; or a part of a structure, which has the name kind. The
	// key, here and below, is shown in the log as [verbs.Call.Shown] says.
	NoteLost(structure, shown []byte, kind string)
	// NoteForeign reports that tokens of other kinds were dropped from the item under key, a part
	// of a structure and the head of a structure of the given kind.
	NoteForeign(structure, shown []byte, kind string, tokens int)
	// NoteUncached reports that the structure under key was read again, and is not kept as a view
	// because it would take that many bytes of memory.
	NoteUncached(structure, shown []byte, bytes int)
	// KeepScratch keeps memory that no call needs now, for the next large fold. TakeScratch returns
	// what was kept, or nothing.
	KeepScratch(Scratch)
	TakeScratch() Scratch
	// Views are the views of the event loop; nil if none are kept.
	Views() *views.Views
	// AsksNow notes that a call that only reads asks memcached about a structure. It returns the time, for Recent, or 0 if
	// all calls have to ask.
	AsksNow(structure []byte) int64
	// Recent reports whether calls that only read may use what was found of a structure when memcached was asked at that
	// time: it is not too long ago, and this process has not changed the structure since.
	Recent(structure []byte, asked int64) bool
	// Decisions are the deciding calls of the event loop.
	Decisions() *Decisions
	// AwaitEndOfTurn asks for a call of [Decisions.EndTurn] when the loop has read all sockets that have something now.
	AwaitEndOfTurn()
	// Precedence is that among the leaders of all event loops of the process.
	Precedence() *Precedence
	// Post calls fn on the event loop, later. It may be called from any goroutine. It returns false if the loop has
	// ended.
	Post(fn func()) bool
}
