package proxy

import (
	"fmt"
	"sync"
	"time"

	"github.com/memverbs/memverbs/proxy/clock"
	"github.com/memverbs/memverbs/proxy/execution"
	"github.com/memverbs/memverbs/proxy/hotkeys"
	"github.com/memverbs/memverbs/proxy/latency"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/transport"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/proxy/verbkeys"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// How a loop is made, and what it does in each turn. An event is first handled in
// memory. At its end (Settle) the outputs are written, once for each connection.

// ticksPerTimeout is the number of clock ticks in an upstream's time-out.
const ticksPerTimeout = 20

func newLoop(s *Server, net *transport.Loop) *loop {
	l := &loop{
		shared:  &s.shared,
		net:     net,
		clients: map[*client]struct{}{},
		leaving: map[*client]struct{}{},
	}
	l.clock = clock.New(max(s.config.Timeout/ticksPerTimeout, time.Millisecond), l.post, l.onTick)
	l.timing = timing{Clock: latency.NewClock(), hot: hotkeys.NewWindow(), threshold: s.config.Slow}
	l.timing.slow.To = l.log
	l.account.Budget = &s.budget
	l.buffers.Account = &l.account
	l.net.Serve(l, &l.buffers)
	if s.config.VerbKeys != "" {
		l.carriage.keys = verbkeys.New(s.config.VerbKeys)
	}
	l.env = l.upstreamEnv(s)
	l.pool = pool.New(&l.env, s.servers, len(s.config.Upstreams), s.layout, &l.queues)
	for _, u := range l.pool.All {
		u.Verbs.Most = pool.MostVerbs(s.config.Loops, len(l.pool.All))
	}
	l.verbs = execution.New(l.verbEnv(s.viewRoom, &s.aside), l.pool)
	return l
}

// upstreamEnv returns the Env of the loop's upstreams.
func (l *loop) upstreamEnv(s *Server) upstream.Env {
	return upstream.Env{
		Net:            l.net,
		Clock:          l.clock,
		Time:           l.timing.Clock,
		Pool:           &l.buffers,
		Context:        s.context,
		Counts:         &l.stats.Counts,
		Timeout:        s.config.Timeout,
		ConnectTimeout: s.config.ConnectTimeout,
		MaxItemSize:    s.config.MaxItemSize,
		MaxLong:        verbs.MaxAnswer,
		LargeReply:     l.largeReply(),
		UnderWay:       s.underWay(),
		HasMemory:      l.hasMemory,
		TooLong:        tooLong,
	}
}

// tooLong returns the error for a value of size bytes, which is more than is accepted.
func tooLong(p *upstream.Pending, size int) string {
	if p.Long {
		return execution.TooLong(size)
	}
	return fmt.Sprintf("holds a value of %d bytes under this key, more than --max-item-size", size)
}

// verbEnv returns the Env of the loop's verbs. Elsewhere locks aside, so that only one
// function runs at a time: the loops need the processors too.
func (l *loop) verbEnv(views *structure.ViewRoom, aside *sync.Mutex) execution.Env {
	return execution.Env{
		Net:      l.net,
		Clock:    l.clock,
		Time:     l.timing.Clock,
		Log:      l.log,
		Account:  &l.account,
		Queues:   &l.queues,
		Loops:    l.config.Loops,
		Timeout:  l.config.Timeout,
		Options:  &l.config.Verbs,
		ViewRoom: views,
		Post:     l.post,
		Settle:   l.settle,
		Shed:     l.shed,
		RelieveVerbs: func() {
			for _, other := range l.loops {
				other.post(other.relieveVerbs)
			}
		},
		Elsewhere: func(do, then func()) {
			go func() {
				aside.Lock()
				do()
				aside.Unlock()
				then()
			}()
		},
	}
}

// Settle implements [transport.LoopOwner]. It lets clients and verbs proceed as far as
// they can, and flushes the outputs.
func (l *loop) Settle() {
	l.settle()
	l.verbs.EndCallback()
	l.timing.Forget()
}

func (l *loop) settle() {
	l.goOn()
	if l.account.Overdrawn() {
		l.relieve()
		l.goOn()
	}
}

// goOn lets clients and verbs proceed until none can.
func (l *loop) goOn() {
	for l.verbs.GoOn() || l.queues.Len() > 0 && l.queues.Serve() || len(l.awake) > 0 || l.net.HasToFlush() || l.env.HasToDispatch() {
		for len(l.awake) > 0 {
			c := l.awake[len(l.awake)-1]
			l.awake = l.awake[:len(l.awake)-1]
			c.awake = false
			c.Proceed()
		}
		l.env.Dispatch()
		l.net.Flush()
	}
}

// EndTurn implements [transport.LoopOwner].
func (l *loop) EndTurn() {
	for _, u := range l.pool.All {
		u.EndTurn()
	}
	l.net.WriteOn()
	l.verbs.EndTurn()
}

// onTick checks for time-outs. It reports whether anything waits.
func (l *loop) onTick() (waiting bool) {
	for _, u := range l.pool.All {
		waiting = u.OnTick() || waiting
	}
	waiting = l.verbs.OnTick() || waiting
	for c := range l.leaving {
		waiting = true
		c.onTick()
	}
	return waiting
}

// drain makes every client leave after its requests have been answered.
func (l *loop) drain() {
	for c := range l.clients {
		c.conn.Pause()
		c.eof = true
		c.depart()
	}
}

// shut fails everything that is still running, so that nothing waits for it.
func (l *loop) shut() {
	for c := range l.clients {
		c.abort()
	}
	for _, u := range l.pool.All {
		u.First.Fail("is not asked any more: the proxy is shutting down")
	}
	l.verbs.Shut()
}

// close releases the loop's resources after it has ended.
func (l *loop) close() {
	l.clock.Stop()
	for _, u := range l.pool.All {
		u.Close()
	}
	l.verbs.Close()
}

// connectionsShare is the fraction of the memory that each limit of [upstream.UnderWay]
// may take on all connections together.
const connectionsShare = 8

// underWay returns the limits of what may be in flight on each connection.
func (s *Server) underWay() upstream.UnderWay {
	return upstream.UnderWayWith(int(s.budget.Limit) / connectionsShare / s.config.Loops / len(s.config.Upstreams))
}
