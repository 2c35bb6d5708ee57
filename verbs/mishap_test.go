package verbs

import "slices"

// Mishaps: operations can come to grief on the way, items can be evicted, and
// processes can die, at any moment.
const (
	lostRequest = 1 + iota // the operation fails, and does not happen
	lostReply              // it fails, and has happened
	lateRequest            // it fails, and may happen later
	evicted                // its item is evicted before
	filled                 // there is no memory to append to its item
	anyEvicted             // some item is evicted before
	restarted              // memcached is restarted before, and holds nothing
	died                   // the proxy dies, and with it the call
	mishaps     = died
)

// carryOut carries out op, unless something goes wrong.
func (s *schedule) carryOut(op Op) Reply {
	lost := Reply{Err: "SERVER_ERROR lost"}
	fault := s.choose.fault(mishaps)
	s.troubled = s.troubled || fault != 0
	switch fault {
	case lostRequest:
		s.note("lost", op, lost)
		return lost
	case lostReply:
		s.note("reply lost", op, s.do(s.t, op))
		return lost
	case lateRequest:
		s.note("held up", op, lost)
		op.Key, op.Data = slices.Clone(op.Key), slices.Clone(op.Data)
		s.late = append(s.late, op)
		return lost
	case filled:
		if op.Kind >= Append && op.Kind <= AppendIf && s.find(string(op.Key)) != nil {
			r := Reply{Status: NotStored}
			s.note("filled", op, r)
			return r
		}
	case evicted:
		s.evicting(string(op.Key))
	case anyEvicted:
		if keys := s.keys(); len(keys) > 0 {
			s.evicting(keys[s.choose.pick(len(keys))])
		}
	case restarted:
		for _, key := range s.keys() {
			s.evicting(key)
		}
		s.restart()
		s.late = nil // they were on the way to the process that is gone
	case died:
		s.note("died before", op, lost)
		s.dead = true
		return lost
	}
	r := s.do(s.t, op)
	s.note("", op, r)
	return r
}

// evicting evicts an item, which is a change that readers see: at once if it is
// the head of a structure; if it is a part of one, when they look.
func (s *schedule) evicting(key string) {
	if s.find(key) == nil {
		return
	}
	c := &call{request: "vanish " + key, from: s.step, to: s.step, gone: s.value(key)}
	if s.key != "" && key != s.key {
		c.to = unfinished
	}
	s.calls = append(s.calls, c)
	s.note("evicted", Op{Key: []byte(key)}, Reply{})
	s.evict(key)
	s.step++
}
