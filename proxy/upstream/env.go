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

// Env is what the upstreams of one event loop share. Its fields must not change once it
// is in use.
type Env struct {
	Net     *transport.Loop
	Clock   *clock.Clock
	Time    *latency.Clock
	Pool    *memory.Pool    // its account also counts the memory of pending requests
	Context context.Context // is cancelled at shutdown
	Counts  *tally.Counts   // counts the replies to clients' requests

	Timeout        time.Duration // for an upstream's answer
	ConnectTimeout time.Duration
	MaxItemSize    int      // longest value that is accepted, in bytes
	MaxLong        int      // the same if the request is Long
	LargeReply     int      // the size, in bytes, from which a reply needs HasMemory
	UnderWay       UnderWay // limits of each connection

	// HasMemory reports whether n bytes are available for a reply.
	HasMemory func(n int) bool
	// TooLong returns the error for a value of size bytes in the reply to p, which is
	// too long.
	TooLong func(p *Pending, size int) string

	touched []*Connection // connections with requests that have not been dispatched
}

// HasToDispatch reports whether Dispatch has work to do.
func (e *Env) HasToDispatch() bool { return len(e.touched) > 0 }

// Dispatch is called at the end of a callback. For each connection it writes the
// callback's requests or leaves them to the batch at the end of the loop's turn.
func (e *Env) Dispatch() {
	for _, c := range e.touched {
		c.touched = false
		c.dispatch()
	}
	e.touched = e.touched[:0]
}
