package statistics

import (
	"bytes"
	"iter"

	"github.com/memverbs/memverbs/protocol"
)

// summed are the general statistics of memcached that only the servers know and that can be summed,
// in memcached's order. Statistics of connections are not among them, since those are the proxy's,
// nor statistics of a process or its threads.
var summed = []string{
	"get_expired", "get_flushed",
	"get_extstore", "get_aborted_extstore", "get_oom_extstore", "recache_from_extstore", "miss_from_extstore", "badcrc_from_extstore",
	"store_too_large", "store_no_memory",
	"limit_maxbytes",
	"hash_bytes",
	"slab_reassign_rescues", "slab_reassign_chunk_rescues", "slab_reassign_evictions_nomem", "slab_reassign_inline_reclaim",
	"slab_reassign_busy_items", "slab_reassign_busy_deletes", "slab_reassign_busy_nomem", "slabs_moved",
	"lru_crawler_starts", "lru_maintainer_juggles",
	"malloc_fails",
	"bytes", "curr_items", "total_items", "slab_global_page_pool",
	"expired_unfetched", "evicted_unfetched", "evicted_active", "evictions", "reclaimed",
	"crawler_reclaimed", "crawler_items_checked", "lrutail_reflocked",
	"moves_to_cold", "moves_to_warm", "moves_within_lru", "direct_reclaims", "lru_bumps_dropped",
	"extstore_compact_lost", "extstore_compact_rescues", "extstore_compact_resc_cold", "extstore_compact_resc_old", "extstore_compact_skipped",
	"extstore_page_allocs", "extstore_page_evictions", "extstore_page_reclaims", "extstore_pages_free", "extstore_pages_used",
	"extstore_objects_evicted", "extstore_objects_read", "extstore_objects_written", "extstore_objects_used",
	"extstore_bytes_evicted", "extstore_bytes_written", "extstore_bytes_read", "extstore_bytes_used", "extstore_bytes_fragmented",
	"extstore_limit_maxbytes", "extstore_io_queue",
}

// largest are the statistics whose largest value is shown: levels, and flags that a server is doing
// something.
var largest = []string{"hash_power_level", "hash_is_expanding", "slab_reassign_running", "lru_crawler_running"}

var isLargest = setOf(largest)

var isSummed = setOf(summed)

func setOf(names []string) map[string]bool {
	set := map[string]bool{}
	for _, name := range names {
		set[name] = true
	}
	return set
}

// Sums are the sums of general statistics over the upstreams, or the largest values, by name. A
// statistic that no upstream has is missing.
type Sums map[string]uint64

// Take adds the answer of one upstream.
func (s Sums) Take(reply []byte) {
	for name, value := range statistic(reply) {
		switch n, ok := protocol.ParseUint(value); {
		case !ok:
		case isSummed[string(name)]:
			s[string(name)] += n
		case isLargest[string(name)]:
			s[string(name)] = max(s[string(name)], n)
		}
	}
}

// Tell adds the sums to t.
func (s Sums) Tell(t *Text) {
	for _, list := range [][]string{summed, largest} {
		for _, name := range list {
			if n, ok := s[name]; ok {
				t.Add(name, n)
			}
		}
	}
}

// statistic yields the names and values in an answer to stats.
func statistic(reply []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(name, value []byte) bool) {
		for line := range bytes.Lines(reply) {
			word, rest := protocol.NextWord(bytes.TrimRight(line, "\r\n"))
			name, value := protocol.NextWord(rest)
			if string(word) == "STAT" && len(name) > 0 && !yield(name, bytes.TrimSpace(value)) {
				return
			}
		}
	}
}
