package structure

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/structure/views"
)

// Load reads the structures whose keys are in list, all at once: first the heads in one round trip,
// then the segments if there are any. It also reserves memory for the use. The logs are valid until
// the next operation of the call; long ones, which are copied, until the call ends.
//
// A part may be missing because it was replaced since the head was read; then the head no longer
// points to it. Otherwise it was evicted. Then the structure is lost, like an evicted item, and
// Load deletes the head unless it has changed: a client that was told that the structure is missing
// must not find it later, and later additions must not extend an incomplete structure.
func (l *loader) Load(list []Loaded, use Use) {
	for range verbs.MaxTries {
		if l.tryLoad(list, use) {
			return
		}
	}
	for i := range list {
		if s := &list[i]; s.state != complete {
			s.Reply = verbs.Contended(l.Shown(s.Key))
		}
	}
}

// tryLoad is one attempt of Load. It returns false if another one is needed.
func (l *loader) tryLoad(list []Loaded, use Use) bool {
	if !l.loadHeads(list) {
		return false
	}
	size := 0
	for i := range list {
		s := &list[i]
		if s.tokens = 0; s.view == nil {
			_, segments := format.Extent(s.Head.Segments)
			size += len(s.Reply.Data) + segments
		} else if use != Counted {
			size += len(s.view.Log)
		}
	}
	if allComplete(list) && size+2*len(l.Words) <= l.Pace.Freely() { // a token is at most about twice as long as its word
		return true
	}
	if !l.Reserve(size + len(l.Answer)) {
		return false
	}
	for i := range list { // the next operation invalidates replies
		switch s := &list[i]; {
		case s.view != nil:
		case i == 0:
			l.first = s.keep(l.first)
		default:
			s.keep(nil)
		}
	}
	l.condemn(list)
	return l.loadSegments(list) && l.measure(list, use)
}

// measure reserves memory for the use of the loaded structures. It returns false if it dropped them
// because there was not enough, so that they have to be read again.
func (l *loader) measure(list []Loaded, use Use) bool {
	var of extents
	used := len(l.Answer)
	for i := range list {
		s := &list[i]
		if s.view != nil {
			n := s.view.Fold.Live() + s.view.Fold.Dead()
			of.bytes, of.tokens, of.most = of.bytes+len(s.view.Log), of.tokens+n, max(of.most, n)
			continue
		}
		s.tokens = 0
		if s.Reply.Status == verbs.Hit && s.sound {
			s.tokens = format.CountExactly(&l.Pace, s.Log)
			of.bytes, of.tokens, of.most, of.folds = of.bytes+len(s.Log), of.tokens+s.tokens, max(of.most, s.tokens), max(of.folds, s.tokens)
		}
		used += len(s.Reply.Data) + len(s.base)
		if len(s.base) == 0 {
			used += len(s.Log) // for the log that compacting writes
		}
	}
	l.loaded = used + use.memory(l.Kind, of)
	if !l.Reserve(l.loaded) {
		return false
	}
	l.KeepReserved(l.loaded + l.Spare)
	return true
}

// LoadOne is Load for a single key.
func (l *loader) LoadOne(key []byte, use Use) *Loaded {
	return l.loadAfter(key, use, l.takeBefore(key))
}

// takeBefore returns the view of the structure under key that was just found outdated, nil if there
// is none.
func (l *loader) takeBefore(key []byte) *views.View {
	v := l.before
	if l.before = nil; v == nil || v.Key != string(key) {
		return nil
	}
	return v
}

// loadAfter is LoadOne with an outdated view of the structure, nil if there is none.
func (l *loader) loadAfter(key []byte, use Use, before *views.View) *Loaded {
	l.endLoans()
	l.List = append(l.List[:0], ToLoad(key))
	s := &l.List[0]
	s.before, s.batch = before, l.env.Decisions().orders.last.Batch
	l.Load(l.List, use)
	return s
}

// Read returns the fold of a loaded structure. It returns nil if that is not of the
// engine's kind.
func (l *loader) Read(s *Loaded) format.Fold {
	if s.view != nil {
		s.Fold = s.view.Fold
		return s.Fold
	}
	if !s.sound || s.Head.Letter != l.Kind.Letter {
		return nil
	}
	if l.worthKeeping(s) {
		l.readToKeep(s)
	} else {
		s.Fold = l.folds.FoldLog(l.Kind, s.Log, s.tokens)
	}
	return s.Fold
}

// loadAgain reads and folds the call's structure, which has probably changed since it was last
// read. It returns Hit, or why that failed.
func (l *loader) loadAgain(use Use) verbs.Reply {
	s := l.loadAfter(l.Key, use, l.viewOf(l.Key))
	if s.Reply.Status == verbs.Hit && l.Read(s) == nil {
		return NotOfKind(l.Shown(l.Key), l.Kind)
	}
	return s.Reply
}

// recheck is called when a part of a structure is missing. It loads the structure, which deletes
// the head if the part was evicted, and returns Exists if a retry makes sense, or Failed.
func (l *loader) recheck(key []byte) verbs.Reply {
	if s := l.LoadOne(key, Counted); s.Reply.Status == verbs.Failed {
		return s.Reply
	}
	return verbs.Reply{Status: verbs.Exists}
}
