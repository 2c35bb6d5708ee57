package structure

// How calls use the views of their event loop, and keep new ones.

// viewOf returns the view of the structure under key if it is of the engine's kind,
// else nil.
func (e *Engine) viewOf(key []byte) *view { return e.env.Views().of(key, e.Kind) }

// lend marks v as used by the call until [Engine.GiveBack].
func (e *Engine) lend(v *view) {
	v.users++
	e.lent = append(e.lent, v)
}

// GiveBack ends the call's use of views. It also ends the call's part in a decision that was begun
// without a coroutine: the call stops waiting, drops an append that has not been answered, and hands
// the lead to the next call.
func (e *Engine) GiveBack() {
	e.before = nil
	e.giveUp()
	for _, v := range e.lent {
		v.users--
	}
	clear(e.lent)
	e.lent = e.lent[:0]
}

// noteSwap notes that the head under key has been swapped. A call that decided on the view of what was
// there before would change the view, and then lose it together with the race.
func (e *Engine) noteSwap(key []byte) {
	if v := e.viewOf(key); v != nil {
		v.replaced = true
	}
}

// worthKeeping reports whether to keep a view of s.
func (e *Engine) worthKeeping(s *Loaded) bool {
	return s.Reply.CAS != 0 && e.env.Views().worthKeeping(s.Key, len(s.log))
}

// readToKeep folds the log of s, and keeps the result as a view if there is memory for
// it.
func (e *Engine) readToKeep(s *Loaded) {
	if !s.Reply.Copied {
		s.keep(nil)
	}
	if s.tokens > 0 { // otherwise replies of other structures are not copied and would not survive a pause
		e.awaitView(s)
	}
	if v := e.viewOf(s.Key); v != nil && e.usable(v, &s.Reply) { // another call has made it
		e.useView(s, v, s.Reply)
		s.Fold = v.fold
		return
	}
	defer e.env.Views().begin(s)()
	if e.follow(s) {
		return
	}
	fold := e.Kind.New() // a new one, which takes no more memory than it needs
	tokens := e.countExactly(s.log)
	if s.tokens > 0 { // as before
		e.Pace.Rest(tokens)
	}
	fold.Expect(&e.Pace, tokens+tokens/spareShare)
	if !fold.Read(&e.Pace, s.log, e.env.Now()) {
		return
	}
	s.Fold = fold
	e.keepView(newView(s, e.Kind), s)
}

// keepView keeps v, and has s use it, if there is memory for it.
func (e *Engine) keepView(v *view, s *Loaded) {
	if e.env.Views().keep(v) {
		e.giveTo(v, s)
		return
	}
	if bytes := v.measure(); e.env.Views().refuses(bytes) {
		e.env.NoteUncached(e.owner(s.Key), s.Key, bytes)
	}
}

// spareShare is by what part of its tokens a view can grow at least before the memory of its fold,
// which may be large, has to be copied.
const spareShare = 16

// follow brings the outdated view of s up to date and uses it, if it leads to s. Folding the
// whole log again would take the longer the longer it is.
func (e *Engine) follow(s *Loaded) bool {
	v := s.before
	if v == nil || v.gone || v.users > 0 || v.kind != e.Kind || !v.leadsTo(s, len(v.log)/2) {
		return false
	}
	e.env.Views().drop(v) // others must not use it while it is extended
	if !v.follow(&e.Pace, s, e.env.Now()) {
		return false
	}
	s.Fold = v.fold
	e.keepView(v, s)
	return true
}

// giveTo makes s use v, which has taken over its log.
func (e *Engine) giveTo(v *view, s *Loaded) {
	s.base = nil
	if s == &e.List[0] { // the log may be in the call's own buffers
		e.first, e.log = nil, nil
	}
	s.view = v
	e.lend(v)
}
