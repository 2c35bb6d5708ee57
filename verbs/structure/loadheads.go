package structure

import (
	"bytes"
	"slices"

	"github.com/memverbs/memverbs/verbs"
)

// loadHeads fetches the heads that are not loaded yet, or probes those that have a
// view. It returns false if there is no room for all of them; then they are to be
// fetched one at a time.
func (c *Engine) loadHeads(list []Loaded) bool {
	if r := c.AwaitRoom(); r.Status == verbs.Failed {
		return failAll(list, r)
	}
	for i := range list { // not before the wait, or old views would be kept in memory
		if s := &list[i]; s.state != complete && s.before == nil {
			s.view = c.viewOf(s.Key)
		}
	}
	if c.Singly {
		return c.loadEachHead(list)
	}
	for {
		c.Ops = c.Ops[:0]
		for i := range list {
			if list[i].state != complete {
				c.Ops = append(c.Ops, list[i].ask())
			}
		}
		replies := c.AskAll(c.Ops)
		if c.outdated(list, replies) {
			continue
		}
		if slices.ContainsFunc(replies, verbs.Reply.IsDropped) {
			c.Singly = true
			c.LetGo()
			return false
		}
		for i := range list {
			if s := &list[i]; s.state != complete {
				c.takeHead(s, replies[0])
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
func (c *Engine) outdated(list []Loaded, replies []verbs.Reply) bool {
	outdated := false
	for i := range list {
		s := &list[i]
		if s.state == complete {
			continue
		}
		if c.isOutdated(s, &replies[0]) {
			c.env.Views().counts.Outdated++
			outdated = true
		}
		replies = replies[1:]
	}
	return outdated
}

// isOutdated reports whether the view of s disagrees with r, the reply to the probe of its
// head, and so does the one that has replaced it meanwhile, if any. Then s has none.
func (c *Engine) isOutdated(s *Loaded, r *verbs.Reply) bool {
	if s.view == nil || r.Status != verbs.Hit || c.usable(s.view, r) {
		return false
	}
	if v := c.viewOf(s.Key); v != nil && c.usable(v, r) {
		s.view = v
		return false
	}
	s.view, s.before = nil, s.view
	return true
}

// takeHead handles the reply to fetching or probing the head of s.
func (c *Engine) takeHead(s *Loaded, r verbs.Reply) {
	if s.view != nil && r.Status == verbs.Hit {
		c.env.Views().counts.Hits++
		c.useView(s, s.view, r)
		return
	}
	if s.view != nil { // the probe missed: there is no structure any more
		s.view, s.before = nil, s.view
	}
	v := s.before
	if v == nil || v.gone {
		v = c.viewOf(s.Key)
	}
	switch {
	case v == nil:
	case c.usable(v, &r): // another call has brought it up to date, or made it
		c.useView(s, v, r)
		return
	case v.gone || v.users > 0 || v != s.before:
	case r.Status == verbs.Missing:
		c.env.Views().drop(v)
	case r.Status == verbs.Hit && c.catchUp(v, &r):
		c.useView(s, v, r)
		return
	}
	s.take(r)
}

// catchUp extends a view to the head that r has read. It returns false if more has
// changed than that tokens were appended, or if they are too many to add at once.
func (c *Engine) catchUp(v *view, r *verbs.Reply) bool {
	more, ok := v.added(r)
	if !ok || len(more) > c.Pace.Freely() {
		return false
	}
	if !v.extend(more, c.env.Now()) {
		c.env.Views().drop(v)
		return false
	}
	v.is(r)
	c.env.Views().grown(v)
	return true
}

// useView completes s from a view that agrees with r, the reply of the head.
func (c *Engine) useView(s *Loaded, v *view, r verbs.Reply) {
	s.view, s.before, v.ends = v, nil, ends(&r)
	s.Reply, s.state = r, complete
	s.head, s.sound, s.log, s.spare, s.probed = v.head, true, v.log, 0, v.probed
	c.lend(v)
}

// loadEachHead is loadHeads, one head after another.
func (c *Engine) loadEachHead(list []Loaded) bool {
	size := 0
	for i := range list {
		s := &list[i]
		if s.state != complete {
			r := c.Ask(s.ask())
			if c.isOutdated(s, &r) {
				r = c.Ask(s.ask())
			}
			if c.takeHead(s, r); s.view == nil {
				if !c.Reserve(size + len(s.Reply.Data) + len(c.Answer)) {
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
