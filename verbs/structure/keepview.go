package structure

// How calls use the views of their event loop, and keep new ones.

// viewOf returns the view of the structure under key if it is of the engine's kind,
// else nil.
func (c *Engine) viewOf(key []byte) *view { return c.env.Views().of(key, c.Kind) }

// lend marks v as used by the call until [Engine.GiveBack].
func (c *Engine) lend(v *view) {
	v.users++
	c.lent = append(c.lent, v)
}

// GiveBack ends the call's use of views. It also ends the call's part in a decision that was begun
// without a coroutine: the call stops waiting, drops an append that has not been answered, and hands
// the lead to the next call.
func (c *Engine) GiveBack() {
	c.before = nil
	c.giveUp()
	for _, v := range c.lent {
		v.users--
	}
	clear(c.lent)
	c.lent = c.lent[:0]
}

// noteSwap notes that the head under key has been swapped. A call that decided on the view of what was
// there before would change the view, and then lose it together with the race.
func (c *Engine) noteSwap(key []byte) {
	if v := c.viewOf(key); v != nil {
		v.replaced = true
	}
}

// worthKeeping reports whether to keep a view of s.
func (c *Engine) worthKeeping(s *Loaded) bool {
	return s.Reply.CAS != 0 && c.env.Views().worthKeeping(s.Key, len(s.log))
}

// readToKeep folds the log of s, and keeps the result as a view if there is memory for
// it.
func (c *Engine) readToKeep(s *Loaded) {
	if !s.Reply.Copied {
		s.keep(nil)
	}
	if s.tokens > 0 { // otherwise replies of other structures are not copied and would not survive a pause
		c.awaitView(s)
	}
	if v := c.viewOf(s.Key); v != nil && c.usable(v, &s.Reply) { // another call has made it
		c.useView(s, v, s.Reply)
		s.Fold = v.fold
		return
	}
	defer c.env.Views().begin(s)()
	if c.follow(s) {
		return
	}
	fold := c.Kind.New() // a new one, which takes no more memory than it needs
	tokens := c.countExactly(s.log)
	if s.tokens > 0 { // as before
		c.Pace.Rest(tokens)
	}
	fold.Expect(&c.Pace, tokens+tokens/spareShare)
	if !fold.Read(&c.Pace, s.log, c.env.Now()) {
		return
	}
	s.Fold = fold
	c.keepView(newView(s, c.Kind), s)
}

// keepView keeps v, and has s use it, if there is memory for it.
func (c *Engine) keepView(v *view, s *Loaded) {
	if c.env.Views().keep(v) {
		c.giveTo(v, s)
		return
	}
	if bytes := v.measure(); c.env.Views().refuses(bytes) {
		c.env.NoteUncached(c.owner(s.Key), s.Key, bytes)
	}
}

// spareShare is by what part of its tokens a view can grow at least before the memory of its fold,
// which may be large, has to be copied.
const spareShare = 16

// follow brings the outdated view of s up to date and uses it, if it leads to s. Folding the
// whole log again would take the longer the longer it is.
func (c *Engine) follow(s *Loaded) bool {
	v := s.before
	if v == nil || v.gone || v.users > 0 || v.kind != c.Kind || !v.leadsTo(s, len(v.log)/2) {
		return false
	}
	c.env.Views().drop(v) // others must not use it while it is extended
	if !v.follow(&c.Pace, s, c.env.Now()) {
		return false
	}
	s.Fold = v.fold
	c.keepView(v, s)
	return true
}

// giveTo makes s use v, which has taken over its log.
func (c *Engine) giveTo(v *view, s *Loaded) {
	s.base = nil
	if s == &c.List[0] { // the log may be in the call's own buffers
		c.first, c.log = nil, nil
	}
	s.view = v
	c.lend(v)
}
