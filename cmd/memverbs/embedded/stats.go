package embedded

import (
	"os"
	"sync/atomic"

	"github.com/maypok86/otter/v2"
)

// counts are the counts that stats reports and stats reset clears.
type counts struct {
	conns, gets, hits, sets, stored, touches, flushes, evictions atomic.Uint64
}

func (n *counts) get(hit bool) {
	n.gets.Add(1)
	if hit {
		n.hits.Add(1)
	}
}

// otter calls deletion for every item that it removes, while it holds a lock.
func (n *counts) deletion(e otter.DeletionEvent[string, *item]) {
	if e.Cause == otter.CauseOverflow {
		n.evictions.Add(1)
	}
}

func (n *counts) reset() {
	for _, count := range []*atomic.Uint64{
		&n.conns, &n.gets, &n.hits, &n.sets, &n.stored, &n.touches, &n.flushes, &n.evictions,
	} {
		count.Store(0)
	}
}

type stat struct {
	name  string
	value uint64
}

// stats returns those of memcached's statistics that make sense here.
func (s *Store) stats() []stat {
	s.mu.Lock()
	open := len(s.conns)
	s.mu.Unlock()
	gets, hits := s.counts.gets.Load(), s.counts.hits.Load()
	return []stat{
		{"pid", uint64(os.Getpid())},
		{"uptime", uint64(s.now() - s.started)},
		{"time", uint64(s.now())},
		{"curr_connections", uint64(open)},
		{"total_connections", s.counts.conns.Load()},
		{"cmd_get", gets},
		{"cmd_set", s.counts.sets.Load()},
		{"cmd_flush", s.counts.flushes.Load()},
		{"cmd_touch", s.counts.touches.Load()},
		{"get_hits", hits},
		{"get_misses", gets - min(gets, hits)},
		{"limit_maxbytes", uint64(s.memory)},
		{"bytes", s.cache.WeightedSize()},
		{"curr_items", uint64(s.cache.EstimatedSize())},
		{"total_items", s.counts.stored.Load()},
		{"evictions", s.counts.evictions.Load()},
	}
}
