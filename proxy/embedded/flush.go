package embedded

import (
	"sync"
	"sync/atomic"
)

// flush is a flush_all that is to come.
type flush struct {
	mu  sync.Mutex
	due atomic.Int64 // second, or 0 if there is none
}

// flushAll drops every item, now or in delay seconds; another call takes the
// place of one that is still to come. As in memcached, a delayed one begins a
// second early, and a delay that means a time in the past does nothing.
func (s *Store) flushAll(delay int64) {
	s.flush.mu.Lock()
	defer s.flush.mu.Unlock()
	if int32(delay) <= 0 {
		s.flush.due.Store(0)
		s.cache.InvalidateAll()
		return
	}
	s.flush.due.Store(s.expiry(delay) - 1)
}

// flushIfDue is called before every request, so that none of them sees an item
// that is to be gone. The time is looked up only if it matters.
func (s *Store) flushIfDue() {
	due := s.flush.due.Load()
	if due == 0 || s.now() < due {
		return
	}
	s.flush.mu.Lock()
	defer s.flush.mu.Unlock()
	if s.flush.due.Load() == due { // nobody was faster
		s.cache.InvalidateAll()
		s.flush.due.Store(0)
	}
}
