package structure

import (
	"bytes"
	"slices"

	"github.com/memverbs/memverbs/verbs"
)

// loadHeads fetches the heads that are not loaded yet, or probes those that have a
// view. It returns false if there is no room for all of them; then they are to be
// fetched one at a time.
func (e *Engine) loadHeads(list []Loaded) bool {
	if r := e.AwaitRoom(); r.Status == verbs.Failed {
		return failAll(list, r)
	}
	for i := range list { // not before the wait, or old views would be kept in memory
		if s := &list[i]; s.state != complete && s.before == nil {
			if s.view = e.viewOf(s.Key); s.view != nil && s.view.indirect {
				s.view, s.before = nil, s.view
			}
		}
	}
	if e.Singly {
		return e.loadEachHead(list)
	}
	for {
		e.Ops = e.Ops[:0]
		for i := range list {
			if list[i].state != complete {
				e.Ops = append(e.Ops, list[i].ask())
			}
		}
		replies := e.AskAll(e.Ops)
		if e.outdated(list, replies) {
			continue
		}
		if slices.ContainsFunc(replies, verbs.Reply.IsDropped) {
			e.Singly = true
			e.LetGo()
			return false
		}
		for i := range list {
			if s := &list[i]; s.state != complete {
				e.takeHead(s, replies[0])
				replies = replies[1:]
			}
		}
		return true
	}
}

// ask returns the operation that fetches the head, or probes it if there is a view.
func (s *Loaded) ask() verbs.Op {
	if s.view != nil {
		return verbs.Op{Kind: verbs.Probe, Key: s.Key}
	}
	return verbs.Op{Kind: verbs.Fetch, Key: s.Key, Known: s.before != nil}
}

// outdated reports whether any view disagrees with the reply to the probe of its head.
// Then all heads have to be read again, since the next operation invalidates the
// replies.
func (e *Engine) outdated(list []Loaded, replies []verbs.Reply) bool {
	outdated := false
	for i := range list {
		s := &list[i]
		if s.state == complete {
			continue
		}
		if e.isOutdated(s, &replies[0]) {
			e.env.Views().counts.Outdated++
			outdated = true
		}
		replies = replies[1:]
	}
	return outdated
}

// isOutdated reports whether the view of s disagrees with r, the reply to the probe of its
// head, and so does the one that has replaced it meanwhile, if any. Then s has none.
func (e *Engine) isOutdated(s *Loaded, r *verbs.Reply) bool {
	if s.view == nil || r.Status != verbs.Hit || e.usable(s.view, r) {
		return false
	}
	if v := e.viewOf(s.Key); v != nil && e.usable(v, r) {
		s.view = v
		return false
	}
	s.view, s.before = nil, s.view
	return true
}

// takeHead handles the reply to fetching or probing the head of s.
func (e *Engine) takeHead(s *Loaded, r verbs.Reply) {
	if s.view != nil && r.Status == verbs.Hit {
		e.env.Views().counts.Hits++
		e.useView(s, s.view, r)
		return
	}
	if s.view != nil { // the probe missed: there is no structure any more
		s.view, s.before = nil, s.view
	}
	v := s.before
	if v == nil || v.gone {
		v = e.viewOf(s.Key)
	}
	switch {
	case v == nil:
	case e.usable(v, &r): // another call has brought it up to date, or made it; or it has to be compared
		if r.Indirect {
			e.env.Views().counts.Hits++
			v.is(&r)
		}
		e.useView(s, v, r)
		return
	case v.gone || v.users > 0 || v != s.before:
	case r.Status == verbs.Missing:
		e.env.Views().drop(v)
	case r.Status == verbs.Hit && e.catchUp(v, &r):
		e.useView(s, v, r)
		return
	}
	s.take(r)
}

// catchUp extends a view to the head that r has read. It returns false if more has
// changed than that tokens were appended, or if they are too many to add at once.
func (e *Engine) catchUp(v *view, r *verbs.Reply) bool {
	more, ok := v.added(r)
	if !ok || len(more) > e.Pace.Freely() {
		return false
	}
	if !v.extend(more, e.env.Now()) {
		e.env.Views().drop(v)
		return false
	}
	v.is(r)
	e.env.Views().grown(v)
	return true
}

// useView completes s from a view that agrees with r, the reply of the head.
func (e *Engine) useView(s *Loaded, v *view, r verbs.Reply) {
	s.view, s.before, v.ends = v, nil, ends(&r)
	s.Reply, s.state = r, complete
	s.head, s.sound, s.log, s.spare, s.probed = v.head, true, v.log, 0, v.probed
	e.lend(v)
}

// loadEachHead is loadHeads, one head after another.
func (e *Engine) loadEachHead(list []Loaded) bool {
	size := 0
	for i := range list {
		s := &list[i]
		if s.state != complete {
			r := e.Ask(s.ask())
			if e.isOutdated(s, &r) {
				r = e.Ask(s.ask())
			}
			if e.takeHead(s, r); s.view == nil {
				if !e.Reserve(size + len(s.Reply.Data) + len(e.Answer)) {
					return false
				}
				s.keep(nil)
			}
		}
		size += len(s.Reply.Data) + len(s.base)
	}
	return true
}

// take sets the head of s from the reply r. The structure is complete if it has no
// segments, or the same ones that were joined before.
func (s *Loaded) take(r verbs.Reply) {
	before := s.head.pointers
	s.Reply, s.spare = r, 0
	s.head, s.sound = parseHead(r.Data)
	same := r.Status == verbs.Hit && s.sound && bytes.Equal(s.head.pointers, before)
	switch {
	case r.Status != verbs.Hit || len(s.head.segments) == 0:
		s.log, s.state = r.Data, complete
	case same && s.state == lost: // it still points to the missing part
	case same && s.base != nil:
		s.head.pointers = before
		s.log, s.state = append(s.base, s.head.tail...), complete
	default:
		s.state, s.base = unread, nil
	}
}

// keep copies the head, which the next operation would invalidate, into buf if that is
// large enough. It returns the copy.
func (s *Loaded) keep(buf []byte) []byte {
	if !s.Reply.Copied {
		s.Reply.Data = append(buf[:0], s.Reply.Data...)
		s.Reply.Copied = true
	}
	s.head, s.sound = parseHead(s.Reply.Data)
	if len(s.head.segments) == 0 {
		s.log = s.Reply.Data
	}
	return s.Reply.Data
}
