package reply

import (
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/latency"
	"github.com/memverbs/memverbs/proxy/memory"
	"github.com/memverbs/memverbs/proxy/slow"
)

// Timing is what a loop needs to trace slow requests.
type Timing struct {
	*latency.Clock
	Began     latency.Stamp // when the current request was received
	Slow      slow.Log
	Threshold time.Duration // from which a request is slow; 0 if none is
	idle      memory.Reuse[Trace]
}

// Trace is what is noted of a running request for the log of slow requests. There are traces only
// if that log is on.
type Trace struct {
	pool     string
	key      []byte
	Upstream string // of which it has waited for longest
	longest  uint32 // how long, in microseconds
	Trips    int
	queued   uint32 // microseconds before it was begun
	Away     uint32 // microseconds that it has waited for upstreams
	ready    latency.Stamp
	early    bool // its reply was ready, at the time ready, before earlier ones were sent
}

// Trace returns a trace for a request of a pool that is being begun.
func (t *Timing) Trace(req *protocol.Request, pool string, began latency.Stamp) *Trace {
	r := t.idle.Take()
	*r = Trace{pool: pool, key: append(r.key[:0], req.Key...), queued: t.Stamp().Since(began)}
	return r
}

// finish is called when a request has ended that has a trace, and took that many microseconds.
func (t *Timing) finish(k Kind, r *Trace, took uint32) {
	if latency.Duration(took) >= t.Threshold {
		t.note(k, r, took)
	}
	t.Keep(r)
}

// Keep keeps a trace for reuse.
func (t *Timing) Keep(r *Trace) { t.idle.Keep(r) }

// Asked notes that the request has waited for an upstream in one of its concurrent round trips.
func (r *Trace) Asked(upstream string, micros uint32) {
	if r.Trips = 1; micros >= r.longest {
		r.Upstream, r.longest, r.Away = upstream, micros, micros
	}
}

// note notes a slow request, which took that many microseconds until now.
func (t *Timing) note(k Kind, r *Trace, took uint32) {
	var inOrder uint32
	if r.early {
		inOrder = t.Stamp().Since(r.ready)
	}
	own := max(0, int64(took)-int64(r.queued)-int64(r.Away)-int64(inOrder))
	t.Slow.Note(slow.Request{
		At: time.Now(), Pool: r.pool, Command: k.String(), Key: slow.Printable(r.key), Upstream: r.Upstream, RoundTrips: r.Trips,
		Took: latency.Duration(took), Queued: latency.Duration(r.queued), Upstreams: latency.Duration(r.Away),
		Proxy: latency.Duration(uint32(own)), InOrder: latency.Duration(inOrder),
	})
}
