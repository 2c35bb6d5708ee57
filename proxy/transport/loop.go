package transport

import (
	"github.com/panjf2000/gnet/v2"

	"github.com/memverbs/memverbs/proxy/memory"
)

// Loop has the connections of one event loop of gnet written to. Everything of it but what
// Run calls happens on that loop.
type Loop struct {
	Pool *memory.Pool

	events gnet.EventLoop
	run    func(fn func())
	ring   func()
	poller *poller
	dirty  []*Conn // with something to write
	later  []*Conn // with more to be written than is written in one turn
	large  []byte  // where ReadOn puts what comes at once; nil before it is needed
}

// NewLoop returns the transport of an event loop that polls the descriptor fd already.
// run has a function called on the loop and may be called on any goroutine; ring asks for
// [Loop.NextTurn] to be called when the event loop has looked at all its sockets.
func NewLoop(events gnet.EventLoop, fd int, pool *memory.Pool, run func(fn func()), ring func()) (*Loop, error) {
	l := &Loop{Pool: pool, events: events, run: run, ring: ring}
	var err error
	l.poller, err = newPoller(l, fd)
	return l, err
}

// HasToFlush reports whether there is anything for Flush to do.
func (l *Loop) HasToFlush() bool { return len(l.dirty) > 0 }

// Flush writes what has been sent, as far as the sockets take it.
func (l *Loop) Flush() {
	for i := 0; i < len(l.dirty); i++ { // owners may send more
		l.dirty[i].flush()
	}
	clear(l.dirty)
	l.dirty = l.dirty[:0]
}

// writeLater has c go on writing when others have had their turn.
func (l *Loop) writeLater(c *Conn) {
	c.later = true
	l.later = append(l.later, c)
	l.ring()
}

// NextTurn sends what has been put off.
func (l *Loop) NextTurn() {
	later := l.later
	l.later = nil
	for _, c := range later {
		c.later = false
		c.Send()
	}
}

// Close ends what NewLoop has started, after gnet has ended the loop.
func (l *Loop) Close() { l.poller.close() }
