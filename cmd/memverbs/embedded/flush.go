package embedded

import (
	"sync"
	"sync/atomic"
)

// flush is a delayed flush_all.
type flush struct {
	mu  sync.Mutex
	due atomic.Int64 // in seconds since 1970; 0 if there is none
}

// flushAll drops every item, now or in delay seconds. It replaces a delayed flush that
// has not happened yet. As in memcached, a delayed flush happens a second early, a
// negative delay means now, and an absolute time in the past only cancels.
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

// flushIfDue carries out a delayed flush that is due. It is called before every
// request, and reads the clock only if there is such a flush.
func (s *Store) flushIfDue() {
	due := s.flush.due.Load()
	if due == 0 || s.now() < due {
		return
	}
	s.flush.mu.Lock()
	defer s.flush.mu.Unlock()
	if s.flush.due.Load() == due { // no other goroutine was faster
		s.cache.InvalidateAll()
		s.flush.due.Store(0)
	}
}
