package structure

import (
	"fmt"

	"github.com/memverbs/memverbs/verbs"
)

// Loaded is a structure that is being read, or was.
type Loaded struct {
	Key    []byte
	Reply  verbs.Reply // the reply to fetching or probing the head: Hit, Missing, or Failed with the reason
	head   head        // the parsed head
	sound  bool        // the head is well-formed
	log    []byte      // the tokens of segments and tail, in order; the head's value if it is not sound
	tokens int         // upper bound of the tokens in log, if it is long; else 0
	state  loading
	base   []byte // the log of the segments, as last joined
	Fold   Fold   // set by Engine.Read; valid until the next Read
	view   *view  // the view that agrees with the structure, nil if there is none
	before *view  // an outdated view of the structure, nil if there is none
	spare  int    // bytes after log that are the call's own, so that a view of it can grow into them; what follows a reply is another's
	batch  uint64 // of orders that was the loop's last when the reading began
	probed int64  // when all parts of the segments had been probed or read last, by [verbs.Env.Uptime]
}

// loading is the progress of reading a structure.
type loading uint8

const (
	unread loading = iota
	lost           // the head was read, but a part of a segment is missing
	complete
)

// Load reads the structures whose keys are in list, all at once: first the heads in one
// round trip, then the segments if there are any. It also reserves room for the use.
// The logs are valid until the next operation of the call; long ones, which are copied,
// until the call ends.
//
// A missing part was either replaced since the head was read, and then the head no
// longer points to it; or it was evicted. In the latter case the structure is lost,
// like an evicted item, and Load deletes the head unless it has changed: a client that
// was told that the structure is missing must not find it later, and later additions
// must not extend an incomplete structure.
func (e *Engine) Load(list []Loaded, use Use) {
	for range verbs.MaxTries {
		if e.tryLoad(list, use) {
			return
		}
	}
	for i := range list {
		if s := &list[i]; s.state != complete {
			s.Reply = verbs.Contended(e.Shown(s.Key))
		}
	}
}

// tryLoad is one try of Load. It returns false if another is needed.
func (e *Engine) tryLoad(list []Loaded, use Use) bool {
	if !e.loadHeads(list) {
		return false
	}
	size := 0
	for i := range list {
		s := &list[i]
		if s.tokens = 0; s.view == nil {
			_, segments := extent(s.head.segments)
			size += len(s.Reply.Data) + segments
		} else if use != Counted {
			size += len(s.view.log)
		}
	}
	if allComplete(list) && size+2*len(e.Words) <= e.Pace.Freely() { // a token is at most about twice as long as its word
		return true
	}
	if !e.Reserve(size + len(e.Answer)) {
		return false
	}
	for i := range list { // the next operation invalidates replies
		switch s := &list[i]; {
		case s.view != nil:
		case i == 0:
			e.first = s.keep(e.first)
		default:
			s.keep(nil)
		}
	}
	e.condemn(list)
	return e.loadSegments(list) && e.measure(list, use)
}

// measure reserves room for the use of the loaded structures. It returns false if it
// dropped them because there was no room, so that they have to be read again.
func (e *Engine) measure(list []Loaded, use Use) bool {
	var of extents
	held := len(e.Answer)
	for i := range list {
		s := &list[i]
		if s.view != nil {
			n := s.view.fold.Live() + s.view.fold.Dead()
			of.bytes, of.tokens, of.most = of.bytes+len(s.view.log), of.tokens+n, max(of.most, n)
			continue
		}
		s.tokens = 0
		if s.Reply.Status == verbs.Hit && s.sound {
			s.tokens = e.CountTokens(s.log)
			of.bytes, of.tokens, of.most, of.folds = of.bytes+len(s.log), of.tokens+s.tokens, max(of.most, s.tokens), max(of.folds, s.tokens)
		}
		held += len(s.Reply.Data) + len(s.base)
		if len(s.base) == 0 {
			held += len(s.log) // for the log that compacting writes
		}
	}
	e.loaded = held + use.room(e.Kind, of)
	if !e.Reserve(e.loaded) {
		return false
	}
	e.KeepRoom(e.loaded + e.Spare)
	return true
}

// NotOfKind is the outcome of reading an item that is no structure of the kind.
func NotOfKind(key []byte, kind *Kind) verbs.Reply {
	return verbs.Reply{Err: fmt.Sprintf("CLIENT_ERROR %s does not hold a %s", key, kind.Name)}
}

// LoadOne is Load for a single key.
func (e *Engine) LoadOne(key []byte, use Use) *Loaded {
	return e.loadAfter(key, use, e.takeBefore(key))
}

// takeBefore returns the view of the structure under key that was found outdated just now, nil
// if none was.
func (e *Engine) takeBefore(key []byte) *view {
	v := e.before
	if e.before = nil; v == nil || v.key != string(key) {
		return nil
	}
	return v
}

// loadAfter is LoadOne with an outdated view of the structure, nil if there is none.
func (e *Engine) loadAfter(key []byte, use Use, before *view) *Loaded {
	e.GiveBack()
	e.List = append(e.List[:0], Loaded{Key: key, before: before, batch: e.env.Decisions().orders.last.Batch})
	e.Load(e.List, use)
	return &e.List[0]
}

// failAll completes the structures that are not loaded yet with the failure r.
func failAll(list []Loaded, r verbs.Reply) bool {
	for i := range list {
		if s := &list[i]; s.state != complete {
			s.Reply, s.state = r, complete
		}
	}
	return true
}

// allComplete reports whether all structures of the list are read.
func allComplete(list []Loaded) bool {
	for i := range list {
		if list[i].state != complete {
			return false
		}
	}
	return true
}

// Forget drops the data that was read.
func (s *Loaded) Forget() {
	s.Reply.Data, s.log, s.base, s.head, s.Fold = nil, nil, nil, head{}, nil
}

// Read returns the fold of a loaded structure. It returns nil if that is not of the
// engine's kind.
func (e *Engine) Read(s *Loaded) Fold {
	if s.view != nil {
		s.Fold = s.view.fold
		return s.Fold
	}
	if !s.sound || s.head.letter != e.Kind.Letter {
		return nil
	}
	if e.worthKeeping(s) {
		e.readToKeep(s)
	} else {
		s.Fold = e.FoldLog(e.Kind, s.log, s.tokens)
	}
	return s.Fold
}
