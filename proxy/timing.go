package proxy

import (
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/latency"
	"github.com/memverbs/memverbs/proxy/slow"
)

// timing is what a loop needs to tell where time goes.
type timing struct {
	*latency.Clock
	began     latency.Stamp // when the current request was received
	slow      slow.Log
	threshold time.Duration // from which a request is slow; 0 if none is
	idle      []*trace      // for reuse
}

// trace is what a slow request's line needs, of a request that has not ended. There are traces
// only if requests can be slow.
type trace struct {
	pool     string
	key      []byte
	upstream string // of which it has waited for longest
	longest  uint32 // how long, in microseconds
	trips    int
	queued   uint32 // microseconds before it was begun
	away     uint32 // microseconds that it has waited for upstreams
	ready    latency.Stamp
	early    bool // its reply was ready, at ready, before its turn
}

// trace returns a trace for a request of a pool that is being begun.
func (t *timing) trace(req *protocol.Request, pool string, began latency.Stamp) *trace {
	r := &trace{}
	if n := len(t.idle); n > 0 {
		r, t.idle = t.idle[n-1], t.idle[:n-1]
	}
	*r = trace{pool: pool, key: append(r.key[:0], req.Key...), queued: t.Stamp().Since(began)}
	return r
}

// finish is called when a request has ended that has a trace, and took that many microseconds.
func (t *timing) finish(k kind, r *trace, took uint32) {
	if latency.Duration(took) >= t.threshold {
		t.note(k, r, took)
	}
	t.keep(r)
}

// keep keeps a trace for reuse.
func (t *timing) keep(r *trace) {
	if len(t.idle) < maxIdle {
		t.idle = append(t.idle, r)
	}
}

// asked notes that the request has waited for an upstream, in one of its round trips, which
// were made at the same time.
func (r *trace) asked(upstream string, micros uint32) {
	if r.trips = 1; micros >= r.longest {
		r.upstream, r.longest, r.away = upstream, micros, micros
	}
}

// note notes a slow request, which took that many microseconds until now.
func (t *timing) note(k kind, r *trace, took uint32) {
	var inOrder uint32
	if r.early {
		inOrder = t.Stamp().Since(r.ready)
	}
	own := max(0, int64(took)-int64(r.queued)-int64(r.away)-int64(inOrder))
	t.slow.Note(slow.Request{
		At: time.Now(), Pool: r.pool, Command: k.String(), Key: slow.Printable(r.key), Upstream: r.upstream, RoundTrips: r.trips,
		Took: latency.Duration(took), Queued: latency.Duration(r.queued), Upstreams: latency.Duration(r.away),
		Proxy: latency.Duration(uint32(own)), InOrder: latency.Duration(inOrder),
	})
}
