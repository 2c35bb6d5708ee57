package statistics

import (
	"bytes"
	"maps"
	"slices"
	"strconv"

	"github.com/memverbs/memverbs/protocol"
)

// gauges are the summed statistics that describe the present state. The others are counters.
var gauges = map[string]bool{
	"limit_maxbytes": true, "hash_bytes": true, "bytes": true, "curr_items": true, "slab_global_page_pool": true,
	"extstore_pages_free": true, "extstore_pages_used": true, "extstore_objects_used": true, "extstore_bytes_used": true,
	"extstore_bytes_fragmented": true, "extstore_limit_maxbytes": true, "extstore_io_queue": true,
}

// ofClasses are the counters among the statistics of classes, in stats items and stats slabs.
var ofClasses = map[string]bool{
	"evicted": true, "evicted_nonzero": true, "outofmemory": true, "tailrepairs": true, "reclaimed": true, "expired_unfetched": true,
	"evicted_unfetched": true, "evicted_active": true, "crawler_reclaimed": true, "crawler_items_checked": true, "lrutail_reflocked": true,
	"moves_to_cold": true, "moves_to_warm": true, "moves_within_lru": true, "direct_reclaims": true, "hits_to_hot": true, "hits_to_warm": true,
	"hits_to_cold": true, "hits_to_temp": true, "get_hits": true, "cmd_set": true, "delete_hits": true, "incr_hits": true, "decr_hits": true,
	"cas_hits": true, "cas_badval": true, "touch_hits": true,
}

// mostCounters is how many counters of a server are remembered: enough for all classes of items.
const mostCounters = 4096

// Known remembers the counters of servers, so that their sums do not fall while a server can't be reached,
// or when it counts from 0 after a restart: a monitor would take either for a restart of all servers. The
// zero value is empty. It is not safe for concurrent use.
type Known map[Asked]map[string]counter

// Asked is an argument of stats, empty for none, that a server is asked for.
type Asked struct{ Server, What string }

// counter is the last known value of a counter, and the sum of its last values before restarts of
// the server.
type counter struct{ last, before uint64 }

// Heard notes an answer of a server, and returns it with the counts from before restarts added.
func (k Known) Heard(of Asked, answer []byte) []byte {
	counters := k[of]
	if counters == nil {
		counters = map[string]counter{}
		k[of] = counters
	}
	var text Text
	for name, value := range statistic(answer) {
		n, ok := protocol.ParseUint(value)
		c, known := counters[string(name)]
		if !ok || !counts(of.What, name) || !known && len(counters) == mostCounters {
			text.Add(string(name), string(value))
			continue
		}
		if n < c.last {
			c.before += c.last
		}
		c.last = n
		counters[string(name)] = c
		text.Add(string(name), c.sum())
	}
	return []byte(text.End())
}

// Last returns the last known counters of a server that can't be reached, in the form of its
// answer.
func (k Known) Last(of Asked) []byte {
	var text Text
	for _, name := range slices.Sorted(maps.Keys(k[of])) {
		text.Add(name, k[of][name].sum())
	}
	return []byte(text.End())
}

// Keep forgets the servers that are not among those.
func (k Known) Keep(servers map[string]bool) {
	for of := range k {
		if !servers[of.Server] {
			delete(k, of)
		}
	}
}

// Reset forgets the counts from before restarts.
func (k Known) Reset() {
	for _, counters := range k {
		for name, c := range counters {
			counters[name] = counter{last: c.last}
		}
	}
}

func (c counter) sum() string { return strconv.FormatUint(c.before+c.last, 10) }

// counts reports whether a statistic, in the answer to stats with that argument, is a counter.
func counts(what string, name []byte) bool {
	if what == "" {
		return isSummed[string(name)] && !gauges[string(name)]
	}
	return ofClasses[string(name[bytes.LastIndexByte(name, ':')+1:])]
}
