package upstream

import (
	"context"
	"time"

	"github.com/memverbs/memverbs/proxy/clock"
	"github.com/memverbs/memverbs/proxy/latency"
	"github.com/memverbs/memverbs/proxy/memory"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/transport"
)

// Env is what the upstreams of a pool share on one event loop. Its fields, except UnderWay,
// must not change once it is in use.
type Env struct {
	epochs uint32 // the last one of an upstream, see [link]

	Net     *transport.Loop
	Batch   *Batch
	Clock   *clock.Clock
	Time    *latency.Clock
	Pool    *memory.Pool    // its account also counts the memory of pending requests
	Context context.Context // is cancelled at shutdown
	Counts  *tally.Counts   // counts the replies to clients' requests

	Timeout        time.Duration // for an upstream's answer
	ConnectTimeout time.Duration
	MaxItemSize    int      // longest value that is accepted, in bytes
	MaxLong        int      // the same for requests with another limit than LimitItem
	LargeReply     int      // the size, in bytes, from which a reply needs HasMemory
	UnderWay       UnderWay // limits of each connection
	Login          Login
	OnReturn       OnReturn

	// SpareOf returns the upstream of a key in the pool of that name, nil if there is no such pool,
	// or if nothing may be deleted there.
	SpareOf func(pool, key string) *Upstream
	// Returned is called when all loops use an upstream again that was away.
	Returned func(*Upstream)
	// HasMemory reports whether n bytes are available for a reply.
	HasMemory func(n int) bool
	// TooLong returns the error for a value of size bytes in the reply to p, which is
	// too long.
	TooLong func(p *Pending, size int) string
}
