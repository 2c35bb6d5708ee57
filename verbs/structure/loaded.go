package structure

import (
	"bytes"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/structure/views"
)

// Loaded is a structure that is being read, or was.
type Loaded struct {
	views.Reading      // log is the head's value if that is not sound
	sound         bool // the head is well-formed
	tokens        int  // how many tokens log has at most, if it is long; else 0
	state         loading
	base          []byte      // the log of the segments, as last joined
	Fold          format.Fold // set by Engine.Read; valid until the next Read
	view          *views.View // the view that agrees with the structure, nil if there is none
	before        *views.View // an outdated view of the structure, nil if there is none
	batch         uint64      // the loop's last batch of orders when the reading began
}

// ToLoad returns the structure under key, to be read.
func ToLoad(key []byte) (s Loaded) {
	s.Key = key
	return s
}

// loading is the progress of reading a structure.
type loading uint8

const (
	unread loading = iota
	lost           // the head was read, but a part of a segment is missing
	complete
)

// Forget drops the data that was read.
func (s *Loaded) Forget() {
	s.Reply.Data, s.Log, s.base, s.Head, s.Fold = nil, nil, nil, format.Head{}, nil
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

// failAll completes the structures that are not loaded yet with the failure r.
func failAll(list []Loaded, r verbs.Reply) bool {
	for i := range list {
		if s := &list[i]; s.state != complete {
			s.Reply, s.state = r, complete
		}
	}
	return true
}

// ask returns the operation that fetches the head, or probes it if there is a view.
func (s *Loaded) ask() verbs.Op {
	if s.view != nil {
		return verbs.Op{Kind: verbs.Probe, Key: s.Key}
	}
	return verbs.Op{Kind: verbs.Fetch, Key: s.Key, Known: s.before != nil}
}

// take sets the head of s from the reply r. The structure is complete if it has no segments, or the
// same ones as when they were last joined.
func (s *Loaded) take(r verbs.Reply) {
	before := s.Head.Pointers
	s.Reply, s.Spare = r, 0
	s.Head, s.sound = format.ParseHead(r.Data)
	same := r.Status == verbs.Hit && s.sound && bytes.Equal(s.Head.Pointers, before)
	switch {
	case r.Status != verbs.Hit || len(s.Head.Segments) == 0:
		s.Log, s.state = r.Data, complete
	case same && s.state == lost: // the head still points to the missing part
	case same && s.base != nil:
		s.Head.Pointers = before
		s.Log, s.state = append(s.base, s.Head.Tail...), complete
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
	s.Head, s.sound = format.ParseHead(s.Reply.Data)
	if len(s.Head.Segments) == 0 {
		s.Log = s.Reply.Data
	}
	return s.Reply.Data
}
