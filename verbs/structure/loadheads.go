package structure

import (
	"slices"

	"github.com/memverbs/memverbs/verbs"
)

// loadHeads fetches the heads that are not loaded yet, or probes those that have a view. It returns
// false if there is no memory for all of them; then they have to be fetched one at a time.
func (e *Engine) loadHeads(list []Loaded) bool {
	if r := e.AwaitRoom(); r.Status == verbs.Failed {
		return failAll(list, r)
	}
	for i := range list { // after the wait, so that old views can be freed meanwhile
		if s := &list[i]; s.state != complete && s.before == nil {
			if s.view = e.viewOf(s.Key); s.view != nil && s.view.Indirect {
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
			e.drop()
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
			e.env.Views().Note(false)
			outdated = true
		}
		replies = replies[1:]
	}
	return outdated
}

// isOutdated reports whether the view of s disagrees with r, the reply to the probe of its head,
// and so does the view that has replaced it meanwhile, if any. Then s has no view afterwards.
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
		e.env.Views().Note(true)
		e.useView(s, s.view, r)
		return
	}
	if s.view != nil { // the probe was a miss: there is no structure any more
		s.view, s.before = nil, s.view
	}
	v := s.before
	if v == nil || v.Gone {
		v = e.viewOf(s.Key)
	}
	switch {
	case v == nil:
	case e.usable(v, &r): // another call has made or updated the view; or it had to be compared with the whole head
		if r.Indirect {
			e.env.Views().Note(true)
			v.Is(&r)
		}
		e.useView(s, v, r)
		return
	case v.Gone || v.InUse() || v != s.before:
	case r.Status == verbs.Missing:
		e.env.Views().Drop(v)
	case r.Status == verbs.Hit && e.env.Views().CatchUp(v, &r, e.Pace.Freely(), e.env.Now()):
		e.useView(s, v, r)
		return
	}
	s.take(r)
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
