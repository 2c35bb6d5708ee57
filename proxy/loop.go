package proxy

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/panjf2000/gnet/v2"
	"golang.org/x/sys/unix"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/verbkeys"
)

// loop is one event loop: some of the clients, a connection of its own to every
// upstream, and all that lies between them. Everything in it is touched by the
// loop's goroutine only, so nothing is locked.
//
// Whatever a callback of gnet brings is worked through in memory first; when
// the callback ends (leave), what is to be written is written, once for each
// connection.
type loop struct {
	server    *Server
	events    gnet.EventLoop
	flow      *flow
	log       *slog.Logger
	pool      pool
	upstreams []*upstream
	located   located
	clients   map[*client]struct{}
	assigned  atomic.Int64         // clients, with those that are on their way here
	leaving   map[*client]struct{} // those that will be closed soon
	stats     counters
	req       protocol.Request // the one that is being carried out; nothing is kept in it
	carriage  carriage
	appends   appends
	reads     reads

	dirty    []*wire     // with something to write
	touched  []*upstream // with requests that have not been asked to be written
	awake    []*client   // that may be able to go on with their input
	routines []*run      // idle, for later verbs
	kept     int         // by these, in bytes
	gathers  []*gather   // idle, for later retrievals

	ticks   uint32 // a coarse clock, in units of tick; stands still while idle
	ticking bool
	begun   uint64    // runs so far
	wide    int       // runs under way that read many items at once
	wideOff []*client // waiting to begin another
	timer   *time.Timer
	tick    time.Duration

	bell  int  // a descriptor: what is written to it comes in on the loop
	rung  bool // and has not come yet
	depth int  // of callbacks: closing a connection calls back at once
}

// ticksPerTimeout is how finely an upstream's time-out is measured.
const ticksPerTimeout = 20

func newLoop(s *Server, events gnet.EventLoop, fd int) (*loop, error) {
	l := &loop{
		server:  s,
		events:  events,
		log:     s.log,
		clients: map[*client]struct{}{},
		leaving: map[*client]struct{}{},
		tick:    max(s.config.Timeout/ticksPerTimeout, time.Millisecond),
	}
	l.appends.loop = l
	var err error
	if l.flow, err = newFlow(l, fd); err != nil {
		return nil, err
	}
	l.timer = time.AfterFunc(time.Hour, func() { l.run(l.onTick) })
	l.timer.Stop()
	if s.config.VerbKeys != "" {
		l.carriage.keys = verbkeys.New(s.config.VerbKeys)
	}
	for i := range s.config.Upstreams {
		l.upstreams = append(l.upstreams, newUpstream(l, i))
	}
	return l, nil
}

// run has fn called on the loop. It may be called from any goroutine. It
// reports whether the loop still runs.
func (l *loop) run(fn func()) bool {
	if l.server.stopped.Load() {
		return false
	}
	err := l.events.Execute(context.Background(), gnet.RunnableFunc(func(context.Context) error {
		l.enter()
		fn()
		l.leave()
		return nil
	}))
	return err == nil
}

// enter begins every callback.
func (l *loop) enter() { l.depth++ }

// leave ends every callback. When the outermost ends, clients that can go on
// do, and what has been queued is written.
func (l *loop) leave() {
	if l.depth == 1 {
		l.settle()
	}
	l.depth--
}

func (l *loop) settle() {
	for l.reads.next() || l.appends.next() || len(l.awake) > 0 || len(l.dirty) > 0 || len(l.touched) > 0 {
		for len(l.awake) > 0 {
			c := l.awake[len(l.awake)-1]
			l.awake = l.awake[:len(l.awake)-1]
			c.awake = false
			c.proceed()
		}
		for _, u := range l.touched {
			u.touched = false
			u.dispatch()
		}
		l.touched = l.touched[:0]
		for i := 0; i < len(l.dirty); i++ {
			l.dirty[i].flush()
		}
		clear(l.dirty)
		l.dirty = l.dirty[:0]
	}
	if l.pool.inUse > l.server.config.loopMemory {
		l.relieve()
	}
}

// endOfTurn has the requests to u written after the event loop has looked at
// all sockets that are readable now, so that those of many clients go out in
// one system call.
//
// The event loop is told by a byte that becomes readable behind all that is now.
// To have it run something would do as well, but allocates.
func (l *loop) endOfTurn(u *upstream) {
	u.sharers++
	if l.rung {
		return
	}
	if _, err := unix.Write(l.bell, ring[:]); err != nil {
		l.onEndOfTurn()
		return
	}
	l.rung = true
}

var ring [1]byte

func (l *loop) onEndOfTurn() {
	l.rung = false
	for _, u := range l.upstreams {
		if u.sharers > 0 && u.wire != nil {
			u.wire.send()
		}
		if u.sharers > 0 {
			u.shared, u.sharers = u.sharers, 0
		}
	}
}

// wake has c go on with its input before the current callback ends.
func (l *loop) wake(c *client) {
	if !c.awake {
		c.awake = true
		l.awake = append(l.awake, c)
	}
}

// startTicks starts the ticks, which stop by themselves when nothing is waited
// for. It is to be called before a deadline is set.
func (l *loop) startTicks() {
	if !l.ticking {
		l.ticking = true
		l.readClock()
		l.timer.Reset(l.tick)
	}
}

// readClock brings ticks up to date. They count time and not calls, as those
// come late when the loop has much to do.
func (l *loop) readClock() { l.ticks = uint32(time.Since(l.server.started) / l.tick) }

func (l *loop) onTick() {
	l.readClock()
	l.ticking = false
	waiting := false
	for _, u := range l.upstreams {
		waiting = u.onTick() || waiting
	}
	waiting = l.appends.onTick() || waiting
	for c := range l.leaving {
		waiting = true
		c.onTick()
	}
	if waiting {
		l.startTicks()
	}
}

// maxTicks is the longest that can be waited for, in ticks.
const maxTicks = 1 << 30

// after returns the tick at which d will have passed.
func (l *loop) after(d time.Duration) uint32 {
	return l.ticks + uint32(min(d/l.tick, maxTicks)) + 1
}

// passed reports whether tick t has come.
func (l *loop) passed(t uint32) bool { return int32(l.ticks-t) >= 0 }

// worthCutting is how much a client holds at least, in bytes, to be cut off.
const worthCutting = 1 << 20

// relieve cuts off the client that holds most, as the loop holds more than it
// may. That is the last resort: a client is slowed down long before.
func (l *loop) relieve() {
	var worst *client
	for c := range l.clients {
		if worst == nil || c.held() > worst.held() {
			worst = c
		}
	}
	if worst != nil && worst.held() >= worthCutting {
		l.log.Warn("client cut off: it holds most of the buffers, and there are too many",
			"client", worst.name(), "held", worst.held(), "buffers", l.pool.inUse, "limit", l.server.config.loopMemory)
		l.stats.cutOff++
		worst.abort()
	}
}

// drain has every client leave when what it has asked for is answered.
func (l *loop) drain() {
	for c := range l.clients {
		c.wire.pause()
		c.eof = true
		c.depart(l.server.config.Drain)
	}
}

// shut fails whatever is still under way, so that nothing waits for it.
func (l *loop) shut() {
	for c := range l.clients {
		c.abort()
	}
	for _, u := range l.upstreams {
		u.fail("is not asked any more: the proxy is shutting down")
	}
}

// close ends what the loop has started, after gnet has ended the loop.
func (l *loop) close() {
	l.timer.Stop()
	l.flow.close()
	_ = unix.Close(l.bell)
	for _, u := range l.upstreams {
		if u.retry != nil {
			u.retry.Stop()
		}
	}
	for _, r := range l.routines {
		r.routine.Close()
	}
}
