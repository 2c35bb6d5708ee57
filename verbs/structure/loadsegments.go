package structure

import (
	"fmt"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// loadSegments fetches the segments of the structures whose heads have just been read.
// It reports whether all structures are complete. It does not touch structures of unknown kinds: a
// later version of memverbs may store them by other rules.
func (l *loader) loadSegments(list []Loaded) bool {
	var joints []joint
	total, parts := 0, 0
	for i := range list {
		s := &list[i]
		if s.state != unread {
			continue
		}
		if letter := s.Head.Letter; format.KindOf(letter) == nil {
			s.Reply, s.state = unknownKind(l.Shown(s.Key), letter), complete
			continue
		}
		p, bytes := format.Extent(s.Head.Segments)
		if total, parts = total+bytes, parts+p; total > 2*format.MaxStructure || parts > 2*format.MaxParts {
			s.Reply, s.state = verbs.Reply{Err: verbs.TooMuch}, complete
			continue
		}
		var buf []byte
		if i == 0 {
			buf = l.log
		}
		growth := min(headLimit(l.env, l.owner(s.Key), s.Key), bytes/spareShare) // by how much a view can grow before its log has to be copied
		j := l.folds.newJoint(s.Key, s.Head.Segments, buf, len(s.Head.Tail)+growth)
		s.Probed = l.env.Uptime()
		if s.before != nil && j.skip(&l.Pace, s.before, nil) {
			s.Probed = min(s.Probed, s.before.Probed)
		}
		joints = append(joints, j)
	}
	l.join(joints)
	for i := range list {
		if s := &list[i]; s.state == unread {
			s.assemble(&joints[0])
			joints = joints[1:]
		}
	}
	if list[0].view == nil {
		l.log = list[0].base
	}
	return allComplete(list)
}

// assemble sets the log of s from its joined segments and its tail.
func (s *Loaded) assemble(j *joint) {
	switch j.outcome.Status {
	case verbs.Hit:
		s.base, s.state = j.log, complete
		s.Log = append(j.log, s.Head.Tail...)
		s.Spare = min(cap(s.Log)-len(s.Log), len(s.Log)/spareShare)
	case verbs.Missing:
		s.state = lost
	default:
		s.Reply, s.state = j.outcome, complete
	}
}

// condemn deletes the heads of structures that have lost a part by eviction.
func (l *loader) condemn(list []Loaded) {
	l.Ops = l.Ops[:0]
	for i := range list {
		s := &list[i]
		if s.state == lost && s.Reply.CAS == 0 {
			s.Reply.Err = fmt.Sprintf("SERVER_ERROR a part of %s was evicted, and its upstream keeps no CAS; delete it", l.Shown(l.owner(s.Key)))
			s.Reply.Status, s.state = verbs.Failed, complete
			l.noteLost(s.Key)
		}
		if s.state == lost {
			l.Ops = append(l.Ops, format.VersionOf(&s.Reply).Deletion(s.Key))
		}
	}
	if len(l.Ops) == 0 {
		return
	}
	replies := l.AskAll(l.Ops)
	for i := range list {
		s := &list[i]
		if s.state != lost {
			continue
		}
		switch r := replies[0]; r.Status {
		case verbs.Stored, verbs.Missing:
			s.Reply, s.state = verbs.Reply{Status: verbs.Missing}, complete
			if r.Status == verbs.Stored { // otherwise another call has deleted it
				l.noteLost(s.Key)
			}
		case verbs.Exists: // it has changed: read it again
		default:
			s.Reply, s.state = verbs.Reply{Err: r.Err}, complete
		}
		replies = replies[1:]
	}
}
