package structure

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/structure/views"
)

// How calls use the views of their event loop, and keep new ones.

// viewOf returns the view of the structure under key if it is of the engine's kind,
// else nil.
func (e *Engine) viewOf(key []byte) *views.View { return e.env.Views().Of(key, e.Kind) }

// usable reports whether v may answer a call, given the probe r of its head. It brings v up to
// date with the time first.
func (e *Engine) usable(v *views.View, r *verbs.Reply) bool { return v.Usable(r) && e.advance(v) }

// advance is [Views.advance].
func (e *Engine) advance(v *views.View) bool { return e.env.Views().Advance(v, e.env) }

// noteSwap notes that the head under key has been swapped. A call that decided on the old view would
// extend it, and then lose the race, and with it the view.
func (e *Engine) noteSwap(key []byte) {
	if v := e.viewOf(key); v != nil {
		v.Replaced = true
	}
}

// worthKeeping reports whether to keep a view of s.
func (e *Engine) worthKeeping(s *Loaded) bool {
	return s.Reply.CAS != 0 && e.env.Views().WorthKeeping(s.Key, len(s.Log))
}

// readToKeep folds the log of s, and keeps the result as a view if there is memory for
// it.
func (e *Engine) readToKeep(s *Loaded) {
	if !s.Reply.Copied {
		s.keep(nil)
	}
	if s.tokens > 0 { // otherwise replies of other structures are not copied, and a pause would invalidate them
		e.env.Views().Making.Await(e.Call, &s.Reading)
	}
	if v := e.viewOf(s.Key); v != nil && e.usable(v, &s.Reply) { // another call has made it
		e.useView(s, v, s.Reply)
		s.Fold = v.Fold
		return
	}
	defer e.env.Views().Making.Begin(&s.Reading)()
	if v := s.before; v != nil && e.env.Views().Follow(v, e.Kind, &e.Pace, &s.Reading, e.env.Now()) {
		s.Fold = v.Fold
		e.keepView(v, s)
		return
	}
	fold := e.Kind.New() // a new fold, which has no more memory than it needs
	tokens := format.CountExactly(&e.Pace, s.Log)
	if s.tokens > 0 { // as before
		e.Pace.Rest(tokens)
	}
	fold.Expect(&e.Pace, tokens+tokens/spareShare)
	if !fold.Read(&e.Pace, s.Log, e.env.Now()) {
		return
	}
	s.Fold = fold
	e.keepView(views.NewView(&s.Reading, e.Kind, fold), s)
}

// keepView keeps v, and makes s use it, if there is memory for it.
func (e *Engine) keepView(v *views.View, s *Loaded) {
	if e.env.Views().Keep(v) {
		e.giveTo(v, s)
		return
	}
	if bytes, refused := e.env.Views().Refuses(v); refused {
		e.env.NoteUncached(e.owner(s.Key), s.Key, bytes)
	}
}

// spareShare is the fraction of its tokens by which a view can grow before the memory of its fold,
// which may be large, has to be copied.
const spareShare = 16

// giveTo makes s use v, which has taken over its log.
func (e *Engine) giveTo(v *views.View, s *Loaded) {
	s.base = nil
	if s == &e.List[0] { // the log may be in the call's own buffers
		e.first, e.log = nil, nil
	}
	s.view = v
	e.lent.Lend(v)
}

// FreeLogs frees the buffers of the logs if they are long. Call it only when the folds are not
// needed any more.
func (e *Engine) FreeLogs() {
	if cap(e.first)+cap(e.log) > verbs.KeptScratch {
		e.first, e.log = nil, nil
	}
}

// endLoans ends the call's use of views.
func (e *Engine) endLoans() {
	e.before = nil
	e.lent.End()
}

// drop drops everything that was loaded.
func (e *Engine) drop() {
	e.endLoans()
	e.loaded = 0
	for i := range e.List {
		e.List[i] = ToLoad(e.List[i].Key)
	}
	e.first, e.log = nil, nil
	for i := range e.folds {
		e.folds[i].fold.Trim(0)
	}
	e.scratch = Scratch{}
}

// useView completes s from a view that agrees with r, the reply of the head.
func (e *Engine) useView(s *Loaded, v *views.View, r verbs.Reply) {
	s.view, s.before, v.Ends = v, nil, format.Ends(&r)
	s.Reply, s.state = r, complete
	s.Head, s.sound, s.Log, s.Spare, s.Probed = v.Head, true, v.Log, 0, v.Probed
	e.lent.Lend(v)
}
