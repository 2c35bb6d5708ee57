package verbtest

import (
	"slices"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// Mishaps: at any moment operations can fail on the way, items can be evicted, and
// processes can die.
const (
	lostRequest = 1 + iota // the operation fails and is not carried out
	lostReply              // it fails but has been carried out
	lateRequest            // it fails and may be carried out later
	Evicted                // its item is evicted first
	Filled                 // memcached has no memory to append to its item
	anyEvicted             // some item is evicted first
	restarted              // memcached is restarted first, without its items
	died                   // the proxy dies with the call
	mishaps     = died
)

// carryOut carries out op, unless something goes wrong.
func (s *Schedule) carryOut(op verbs.Op) verbs.Reply {
	lost := verbs.Reply{Err: "SERVER_ERROR lost"}
	fault := s.Choose.Fault(mishaps)
	s.Troubled = s.Troubled || fault != 0
	switch fault {
	case lostRequest:
		s.Note("lost", op, lost)
		return lost
	case lostReply:
		s.Note("reply lost", op, s.do(op))
		return lost
	case lateRequest:
		s.Note("held up", op, lost)
		op.Key, op.Data = slices.Clone(op.Key), slices.Clone(op.Data)
		s.late = append(s.late, op)
		return lost
	case Filled:
		if op.Kind >= verbs.Append && op.Kind <= verbs.AppendIf && s.Find(string(op.Key)) != nil {
			r := verbs.Reply{Status: verbs.NotStored}
			s.Note("filled", op, r)
			return r
		}
	case Evicted:
		s.evicting(string(op.Key))
	case anyEvicted:
		if keys := s.Keys(); len(keys) > 0 {
			s.evicting(keys[s.Choose.Pick(len(keys))])
		}
	case restarted:
		for _, key := range s.Keys() {
			s.evicting(key)
		}
		s.Restart()
		s.late = nil // they were on the way to the old process
	case died:
		s.Note("died before", op, lost)
		s.dead = true
		return lost
	}
	r := s.do(op)
	s.Note("", op, r)
	return r
}

// do carries out op. That a structure is deleted of which no part was lost is recorded as a call, since
// readers see it: then nothing may be left of it, and it must have had a time to live.
func (s *Schedule) do(op verbs.Op) verbs.Reply {
	head := s.Find(string(op.Key))
	r := s.Do(s.T, op)
	if s.Ends && op.Kind == verbs.DeleteIf && string(op.Key) == s.Key && r.Status == verbs.Stored && s.isWhole(head) {
		if head.Expires == Never {
			s.T.Fatalf("a structure that does not expire was deleted")
		}
		s.Calls = append(s.Calls, &Call{Request: "end " + s.Key, Answer: "STORED", From: s.Step, To: s.Step, Begun: s.Clock, Since: s.Clock, Ended: s.Clock, Head: string(head.Value)})
		s.Step++
	}
	return r
}

// isWhole reports whether all segments of the structure with a head are there.
func (s *Schedule) isWhole(head *Item) bool {
	parts, _ := format.PartKeys([]byte(s.Key), head.Value)
	return !slices.ContainsFunc(parts, func(key string) bool { return s.Find(key) == nil })
}

// evicting evicts an item and records that as a call, since readers see it: at once if
// it is the head of a structure, at some later time if it is a part.
func (s *Schedule) evicting(key string) {
	if s.Find(key) != nil {
		s.lose(key, false)
	}
}

// expire evicts the head of the structure if its time is over, as memcached does by itself,
// and records that as a call.
func (s *Schedule) expire() {
	if i := s.Items[s.Key]; i != nil && i.Expires <= s.Seconds() {
		s.lose(s.Key, true)
	}
}

func (s *Schedule) lose(key string, expired bool) {
	value := string(s.Items[key].Value)
	c := &Call{Request: "vanish " + key, From: s.Step, To: s.Step, Since: s.Clock, Ended: s.Clock, Gone: value, Head: s.Value(s.Key), Expired: expired}
	if s.Key != "" && key != s.Key {
		c.To = Unfinished
	}
	s.Calls = append(s.Calls, c)
	s.Note("evicted", verbs.Op{Key: []byte(key)}, verbs.Reply{})
	s.Evict(key)
	s.Step++
}
