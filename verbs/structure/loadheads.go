package structure

import (
	"slices"

	"github.com/memverbs/memverbs/verbs"
)

// loadHeads fetches the heads that are not loaded yet, or probes those that have a view. It returns
// false if there is no memory for all of them; then they have to be fetched one at a time.
func (l *loader) loadHeads(list []Loaded) bool {
	if r := l.AwaitMemory(); r.Status == verbs.Failed {
		return failAll(list, r)
	}
	for i := range list { // after the wait, so that old views can be freed meanwhile
		if s := &list[i]; s.state != complete && s.before == nil {
			switch s.view = l.viewOf(s.Key); {
			case l.Of == nil && recent(l.Call, s.Key, s.view):
				l.useRecent(s, s.view)
				continue
			case s.view != nil && s.view.Indirect:
				s.view, s.before = nil, s.view
			}
			l.asksNow(s.Key)
		}
	}
	if l.Singly {
		return l.loadEachHead(list)
	}
	for {
		l.Ops = l.Ops[:0]
		for i := range list {
			if list[i].state != complete {
				l.Ops = append(l.Ops, list[i].ask())
			}
		}
		replies := l.AskAll(l.Ops)
		if l.outdated(list, replies) {
			continue
		}
		if slices.ContainsFunc(replies, verbs.Reply.IsDropped) {
			l.Singly = true
			l.drop()
			return false
		}
		for i := range list {
			if s := &list[i]; s.state != complete {
				l.takeHead(s, replies[0])
				replies = replies[1:]
			}
		}
		return true
	}
}

// outdated reports whether any view disagrees with the reply to the probe of its head.
// Then all heads have to be read again, since the next operation invalidates the
// replies.
func (l *loader) outdated(list []Loaded, replies []verbs.Reply) bool {
	outdated := false
	for i := range list {
		s := &list[i]
		if s.state == complete {
			continue
		}
		if l.isOutdated(s, &replies[0]) {
			l.env.Views().Note(false)
			outdated = true
		}
		replies = replies[1:]
	}
	return outdated
}

// isOutdated reports whether the view of s disagrees with r, the reply to the probe of its head,
// and so does the view that has replaced it meanwhile, if any. Then s has no view afterwards.
func (l *loader) isOutdated(s *Loaded, r *verbs.Reply) bool {
	if s.view == nil || r.Status != verbs.Hit || l.usable(s.view, r) {
		return false
	}
	if v := l.viewOf(s.Key); v != nil && l.usable(v, r) {
		s.view = v
		return false
	}
	s.view, s.before = nil, s.view
	return true
}

// takeHead handles the reply to fetching or probing the head of s.
func (l *loader) takeHead(s *Loaded, r verbs.Reply) {
	if s.view != nil && r.Status == verbs.Hit {
		l.env.Views().Note(true)
		l.useView(s, s.view, r)
		return
	}
	if s.view != nil { // the probe was a miss: there is no structure any more
		s.view, s.before = nil, s.view
	}
	v := s.before
	if v == nil || v.Gone {
		v = l.viewOf(s.Key)
	}
	switch {
	case v == nil:
	case l.usable(v, &r): // another call has made or updated the view; or it had to be compared with the whole head
		if r.Indirect {
			l.env.Views().Note(true)
			v.Is(&r)
		}
		l.useView(s, v, r)
		return
	case v.Gone || v.InUse() || v != s.before:
	case r.Status == verbs.Missing:
		l.env.Views().Drop(v)
	case r.Status == verbs.Hit && l.env.Views().CatchUp(v, &r, l.Pace.Freely(), l.env.Now()):
		l.useView(s, v, r)
		return
	}
	s.take(r)
}

// loadEachHead is loadHeads, one head after another.
func (l *loader) loadEachHead(list []Loaded) bool {
	size := 0
	for i := range list {
		s := &list[i]
		if s.state != complete {
			r := l.Ask(s.ask())
			if l.isOutdated(s, &r) {
				r = l.Ask(s.ask())
			}
			if l.takeHead(s, r); s.view == nil {
				if !l.Reserve(size + len(s.Reply.Data) + len(l.Answer)) {
					return false
				}
				s.keep(nil)
			}
		}
		size += len(s.Reply.Data) + len(s.base)
	}
	return true
}
