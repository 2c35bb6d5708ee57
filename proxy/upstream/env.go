package upstream

import (
	"context"
	"time"

	"github.com/memverbs/memverbs/proxy/clock"
	"github.com/memverbs/memverbs/proxy/memory"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/transport"
)

// Env is what the upstreams of one event loop get of it. Its fields are not to be changed
// once it is in use.
type Env struct {
	Net     *transport.Loop
	Clock   *clock.Clock
	Pool    *memory.Pool    // whose account counts what is kept of requests too
	Context context.Context // is done when nothing is to be asked any more
	Counts  *tally.Counts   // where the replies to clients' requests are entered

	Timeout        time.Duration // for an upstream to answer
	ConnectTimeout time.Duration
	MaxItemSize    int      // the longest value that is taken, in bytes
	MaxLong        int      // the longest where the request is Long, in bytes
	LargeReply     int      // the size, in bytes, from which a reply needs HasMemory
	UnderWay       UnderWay // on each connection, at most

	// HasMemory reports whether there are n bytes for a reply.
	HasMemory func(n int) bool
	// TooLong says what is wrong with a value in the reply to p, of size bytes.
	TooLong func(p *Pending, size int) string

	touched []*Connection // with requests that have not been asked to be written
}

// HasToDispatch reports whether there is anything for Dispatch to do.
func (e *Env) HasToDispatch() bool { return len(e.touched) > 0 }

// Dispatch is called at the end of a callback. It has the requests that came with it
// written, or decides that they wait for the end of the loop's turn.
func (e *Env) Dispatch() {
	for _, c := range e.touched {
		c.touched = false
		c.dispatch()
	}
	e.touched = e.touched[:0]
}
