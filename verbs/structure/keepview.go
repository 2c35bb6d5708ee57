package structure

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/structure/views"
)

// How calls use the views of their event loop, and keep new ones.

// usable reports whether v may answer a call, given the probe r of its head. It brings v up to
// date with the time first.
func (l *loader) usable(v *views.View, r *verbs.Reply) bool { return v.Usable(r) && l.advance(v) }

// worthKeeping reports whether to keep a view of s.
func (l *loader) worthKeeping(s *Loaded) bool {
	return s.Reply.CAS != 0 && l.env.Views().WorthKeeping(s.Key, len(s.Log), l.Asked > 0)
}

// readToKeep folds the log of s, and keeps the result as a view if there is memory for
// it.
func (l *loader) readToKeep(s *Loaded) {
	if !s.Reply.Copied {
		s.keep(nil)
	}
	if s.tokens > 0 { // otherwise replies of other structures are not copied, and a pause would invalidate them
		l.env.Views().Making.Await(l.Call, &s.Reading)
	}
	if v := l.viewOf(s.Key); v != nil && l.usable(v, &s.Reply) { // another call has made it
		l.useView(s, v, s.Reply)
		s.Fold = v.Fold
		return
	}
	defer l.env.Views().Making.Begin(&s.Reading)()
	if v := s.before; v != nil && l.env.Views().Follow(v, l.Kind, &l.Pace, &s.Reading, l.env.Now()) {
		s.Fold = v.Fold
		l.keepView(v, s)
		return
	}
	fold := l.Kind.New() // a new fold, which has no more memory than it needs
	tokens := s.tokens
	if tokens > 0 {
		l.Pace.Rest(tokens)
	} else {
		tokens = format.CountExactly(&l.Pace, s.Log)
	}
	fold.Expect(&l.Pace, tokens+tokens/spareShare)
	if !fold.Read(&l.Pace, s.Log, l.env.Now()) {
		return
	}
	s.Fold = fold
	l.keepView(views.NewView(&s.Reading, l.Kind, fold), s)
}

// keepView keeps v, and makes s use it, if there is memory for it.
func (l *loader) keepView(v *views.View, s *Loaded) {
	if v.Asked = max(v.Asked, l.Asked); l.env.Views().Keep(v) {
		l.giveTo(v, s)
		return
	}
	if bytes, refused := l.env.Views().Refuses(v); refused {
		l.env.NoteUncached(l.owner(s.Key), l.Shown(s.Key), bytes)
	}
}

// spareShare is the fraction of its tokens by which a view can grow before the memory of its fold,
// which may be large, has to be copied.
const spareShare = 16

// giveTo makes s use v, which has taken over its log.
func (l *loader) giveTo(v *views.View, s *Loaded) {
	s.base = nil
	if s == &l.List[0] { // the log may be in the call's own buffers
		l.first, l.log = nil, nil
	}
	s.view = v
	l.lent.Lend(v)
}

// useView completes s from a view that agrees with r, the reply of the head.
func (l *loader) useView(s *Loaded, v *views.View, r verbs.Reply) {
	v.Ends, v.Asked = format.Ends(&r), max(v.Asked, l.Asked)
	l.lend(s, v, r)
}

// lend completes s from a view and r, the reply of the head.
func (l *loader) lend(s *Loaded, v *views.View, r verbs.Reply) {
	s.view, s.before = v, nil
	s.Reply, s.state = r, complete
	s.Head, s.sound, s.Log, s.Spare, s.Probed = v.Head, true, v.Log, 0, v.Probed
	l.lent.Lend(v)
}
