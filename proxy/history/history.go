// Package history remembers what each pool did in the last hour, for the charts of the status page. It is made of
// snapshots that are taken anyway, so it costs nothing between them.
package history

import (
	"slices"
	"sync"
	"time"

	"github.com/memverbs/memverbs/proxy/latency"
	"github.com/memverbs/memverbs/proxy/status"
)

const (
	// Step is the time between two snapshots.
	Step = 10 * time.Second
	// Span is how far back the history reaches.
	Span = time.Hour
	// most is how many points of a pool are kept, each of some 80 bytes.
	most = int(Span / Step)
)

// Point is what a pool did between two snapshots. Rates are per second.
type Point struct {
	At                         time.Time // of the second snapshot
	Requests                   float64
	Hits, Misses               float64 // of gets, for each key
	ClientErrors, ServerErrors float64
	Median, P99                time.Duration // of requests without an error; 0 if there were none
}

// History is the history of all pools. The zero value is empty. It is safe for concurrent use.
type History struct {
	mu    sync.Mutex
	pools map[string]*pool // by name
}

// pool is the history of one pool.
type pool struct {
	last   totals
	points []Point // the oldest first
}

// Add adds a snapshot. Those taken less than half a step after the one before are ignored, so that the number of points is
// limited however often it is called. A pool that no longer exists is forgotten.
func (h *History) Add(s *status.Snapshot) {
	h.mu.Lock()
	defer h.mu.Unlock()
	before := h.pools
	h.pools = make(map[string]*pool, len(s.Pools))
	for i := range s.Pools {
		now := totalsOf(&s.Pools[i], s.Taken)
		p := before[s.Pools[i].Name]
		if p == nil {
			p = &pool{last: now}
		}
		p.add(&now)
		h.pools[s.Pools[i].Name] = p
	}
}

func (p *pool) add(now *totals) {
	if now.at.Sub(p.last.at) < Step/2 {
		return
	}
	p.points = append(p.points, now.since(&p.last))
	p.last = *now
	old := func(point Point) bool { return point.At.After(now.at.Add(-Span)) }
	first := max(slices.IndexFunc(p.points, old), len(p.points)-most)
	p.points = slices.Delete(p.points, 0, first)
}

// Of returns the points of a pool that are later than a time, the oldest first.
func (h *History) Of(name string, after time.Time) []Point {
	h.mu.Lock()
	defer h.mu.Unlock()
	p := h.pools[name]
	if p == nil {
		return nil
	}
	later := func(point Point) bool { return point.At.After(after) }
	if first := slices.IndexFunc(p.points, later); first >= 0 {
		return slices.Clone(p.points[first:])
	}
	return nil
}

// totals are the counts of a pool since the start.
type totals struct {
	at                         time.Time
	requests, hits, misses     uint64
	clientErrors, serverErrors uint64
	latency                    latency.Histogram
}

func totalsOf(p *status.Pool, at time.Time) totals {
	t := totals{at: at}
	for i := range p.Commands {
		c := &p.Commands[i]
		t.requests += c.Results.Sum()
		t.clientErrors += c.Results[status.ClientError]
		t.serverErrors += c.Results[status.ServerError]
		t.latency.Merge(&c.Latency[status.OK])
	}
	t.hits, t.misses = p.Gets()
	return t
}

// since returns what was done since a snapshot.
func (t *totals) since(before *totals) Point {
	seconds := t.at.Sub(before.at).Seconds()
	rate := func(now, before uint64) float64 { return float64(latency.Grown(now, before)) / seconds }
	h := t.latency.Since(&before.latency)
	return Point{
		At: t.at, Requests: rate(t.requests, before.requests), Hits: rate(t.hits, before.hits), Misses: rate(t.misses, before.misses),
		ClientErrors: rate(t.clientErrors, before.clientErrors), ServerErrors: rate(t.serverErrors, before.serverErrors),
		Median: h.Quantile(0.5), P99: h.Quantile(0.99),
	}
}
