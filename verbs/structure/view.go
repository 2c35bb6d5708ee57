package structure

import (
	"bytes"
	"slices"

	"github.com/memverbs/memverbs/verbs"
)

// view is a structure that was read and is kept for later calls, which need not read it again
// while its head is unchanged. Each call checks that with a [verbs.Probe] of the head, by CAS
// and size; or, if that may be another one with the same CAS ([verbs.Reply].Indirect), by reading the head
// and comparing the whole of it. Segments never change, so the head says all.
//
// These rules keep views correct. A view has one kind and one epoch, and a head without
// a CAS has no view. A call uses a view only after it has found the head unchanged or
// has read it, and has brought the view up to date with the time if that matters ([Timed]).
// A view is never changed while another call uses it. If tokens were appended to the head and
// nothing else has changed, the view is extended; otherwise it is replaced.
type view struct {
	key  string
	kind *Kind
	head head // without its tail, which is the end of log
	tail int  // length of the tail in log

	version // of the head

	replaced bool // the head has been swapped since
	ends     bool // the structure ends when nothing is left of it, see emptied.go

	log    []byte
	fold   Fold
	users  int   // calls that use it now
	probed int64 // see Loaded

	older, newer *view // neighbours in the list of Views
	bytes        int   // its memory as counted by Views
	gone         bool  // not in Views (any more)
}

// newView returns a view of the structure s, which was read and folded just now.
func newView(s *Loaded, kind *Kind) *view {
	v := &view{key: string(s.Key), kind: kind, fold: s.Fold, gone: true}
	v.isOf(s)
	return v
}

// holds reports whether the head, as r has read or probed it, is of this version.
func (v version) holds(r *verbs.Reply) bool { return r.Status == verbs.Hit && versionOf(r) == v }

// usable reports whether the view may answer a call, given the probe r of its head, or what was read of it. A view
// that is gone may have been taken by deciding calls (ground.go) and contain changes that
// are not in memcached yet.
func (v *view) usable(r *verbs.Reply) bool {
	switch {
	case v.gone:
		return false
	case r.Indirect:
		more, ok := v.added(r)
		return ok && len(more) == 0
	}
	return v.holds(r)
}

// usable reports whether v may answer a call, given the probe r of its head. It brings v up to
// date with the time first.
func (e *Engine) usable(v *view, r *verbs.Reply) bool { return v.usable(r) && e.advance(v) }

// advance brings a view up to date with the time. It returns false if that is impossible:
// another call uses the view, or its log has to be folded again, as after the clock was put back;
// then the view is dropped.
func (s *Views) advance(v *view, env verbs.Env) bool {
	fold, ok := v.fold.(Timed)
	if !ok {
		return true
	}
	switch now := env.Now(); {
	case fold.Since() <= now && now < fold.Until():
		return true
	case v.users > 0:
		return false
	case v.extend(nil, env.Now()):
		return true
	}
	s.drop(v)
	return false
}

// advance is [Views.advance].
func (e *Engine) advance(v *view) bool { return e.env.Views().advance(v, e.env) }

// added compares the head that r has read with the view. If tokens were appended to the
// head and nothing else has changed, it returns these tokens and true.
func (v *view) added(r *verbs.Reply) (more []byte, ok bool) {
	if r.Status != verbs.Hit || r.CAS == 0 || r.Epoch != v.epoch || !v.endsInSpace() {
		return nil, false
	}
	tail, ok := bytes.CutPrefix(r.Data, v.head.pointers)
	if !ok {
		return nil, false
	}
	more, ok = bytes.CutPrefix(tail, v.log[len(v.log)-v.tail:])
	return more, ok && v.remains(more)
}

// remains reports whether the head is of the same kind, and has the same pointers, with more
// appended to it.
func (v *view) remains(more []byte) bool {
	more = trimSpace(more)
	return v.tail > 0 || len(more) == 0 || more[0] != '@' && letterOf(more) == v.kind.Letter
}

// endsInSpace reports whether bytes appended to the log begin a new token.
func (v *view) endsInSpace() bool { return v.tail == 0 || Space(v.log[len(v.log)-1]) }

// extend adds tokens that were appended to the head. It returns false if that is
// impossible; then the view must be dropped.
func (v *view) extend(more []byte, now int64) bool {
	log := append(v.log, more...)
	if !v.fold.Extend(log, now) {
		return false
	}
	v.log = log
	v.tail += len(more)
	return true
}

// leadsTo reports whether the log of s, which has been read, is that of the view and at most
// so many bytes more, although the head has other pointers: the tokens of a head that is
// settled usually become a segment unchanged.
func (v *view) leadsTo(s *Loaded, most int) bool {
	_, same := v.common(s.head.segments)
	return v.epoch == s.Reply.Epoch && v.endsInSpace() && len(s.log)-len(v.log) <= most && bytes.HasPrefix(s.log[same:], v.log[same:])
}

// follow turns the view into one of s, which it leads to. It returns false if that is
// impossible; then the view must be dropped.
func (v *view) follow(p *verbs.Pace, s *Loaded, now int64) bool {
	done := true
	p.InSteps(len(s.log)-len(v.log), p.Freely(), func(_, to int) {
		to += len(v.log)
		if n := bytes.IndexByte(s.log[to:], ' '); n >= 0 { // a token must not be divided
			to += n + 1
		} else {
			to = len(s.log)
		}
		done = done && v.fold.Extend(s.log[:to], now)
	})
	v.isOf(s)
	return done
}

// isOf sets all of the view but its fold from s.
func (v *view) isOf(s *Loaded) {
	v.log = s.log[: len(s.log) : len(s.log)+s.spare]
	v.tail = len(s.head.tail)
	v.probed = s.probed
	v.is(&s.Reply)
	v.head = head{segments: slices.Clone(s.head.segments), pointers: bytes.Clone(s.head.pointers), letter: s.head.letter}
}

// is sets what the view knows of the head that it agrees with, which r has read or probed.
func (v *view) is(r *verbs.Reply) {
	v.version, v.replaced, v.ends = versionOf(r), false, ends(r)
}

// common returns how many of the first segments are also the first of the view, and how
// many bytes of the view's log they take.
func (v *view) common(segments []segment) (n, bytes int) {
	for n < len(segments) && n < len(v.head.segments) && segments[n] == v.head.segments[n] {
		bytes += segments[n].bytes
		n++
	}
	return n, bytes
}
