package proxy

import (
	"time"

	"github.com/memverbs/memverbs/proxy/clock"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/execution"
	"github.com/memverbs/memverbs/proxy/latency"
	"github.com/memverbs/memverbs/proxy/reply"
	"github.com/memverbs/memverbs/proxy/transport"
)

// How a loop is made, and what it does in each turn. An event is first handled in
// memory. At its end (Settle) the outputs are written, once for each connection.

// ticksPerTimeout is the number of clock ticks in an upstream's time-out.
const ticksPerTimeout = 20

// maxTick is the longest clock tick.
const maxTick = 50 * time.Millisecond

// newLoop returns a loop that uses a setup.
func newLoop(s *Server, net *transport.Loop, first *config.Setup) *loop {
	l := &loop{
		shared:  &s.shared,
		net:     net,
		clients: loopClients{all: map[*client]struct{}{}, leaving: map[*client]struct{}{}},
	}
	l.clock = clock.New(tickFor(first), l.post, l.onTick)
	l.timing = reply.Timing{Clock: latency.NewClock(), Threshold: s.config.Slow}
	l.timing.Slow.To = l.log
	l.account.Budget = &s.budget
	l.buffers.Account = &l.account
	l.net.Serve(l, &l.buffers)
	l.apply(first)
	l.watchUpstreams()
	return l
}

// tickFor returns the length of a clock tick for the pools' time-outs.
func tickFor(s *config.Setup) time.Duration {
	tick := maxTick
	for _, p := range s.Pools {
		tick = min(tick, p.Timeout/ticksPerTimeout)
	}
	return max(tick, time.Millisecond)
}

// Settle implements [transport.LoopOwner]. It lets clients and verbs proceed as far as
// they can, and flushes the outputs.
func (l *loop) Settle() {
	l.settle()
	if l.work.Any() {
		l.eachExecutor((*execution.Executor).EndCallback)
		l.work.EndCallback()
	}
	if l.pools.replaced {
		l.removeRetired()
	}
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
	for l.work.Any() && l.verbsGoOn() || l.queues.Len() > 0 && l.queues.Serve() || len(l.clients.woken) > 0 || l.net.HasToFlush() || l.batch.HasToDispatch() {
		for len(l.clients.woken) > 0 {
			c := l.clients.woken[len(l.clients.woken)-1]
			l.clients.woken = l.clients.woken[:len(l.clients.woken)-1]
			c.pace.woken = false
			c.Proceed()
		}
		l.batch.Dispatch()
		l.net.Flush()
	}
}

// verbsGoOn is GoOn of the executors of all pools.
func (l *loop) verbsGoOn() (any bool) {
	for _, p := range l.pools.current {
		any = p.Verbs.GoOn() || any
	}
	for _, p := range l.pools.retired {
		any = p.Verbs.GoOn() || any
	}
	return any
}

// EndTurn implements [transport.LoopOwner].
func (l *loop) EndTurn() {
	for _, u := range l.pools.members {
		u.EndTurn()
	}
	l.net.WriteOn()
	l.endRests()
	if l.work.Any() {
		l.eachExecutor((*execution.Executor).EndTurn)
	}
}

// onTick checks for time-outs. It reports whether anything waits.
func (l *loop) onTick() (waiting bool) {
	for _, u := range l.pools.members {
		waiting = u.OnTick() || waiting
	}
	l.eachExecutor(func(x *execution.Executor) { waiting = x.OnTick() || waiting })
	for c := range l.clients.leaving {
		waiting = true
		c.onTick()
	}
	return waiting
}

// drain makes every client leave as soon as nothing is outstanding for it.
func (l *loop) drain() {
	for c := range l.clients.all {
		c.dismiss()
	}
}

// shut fails everything that is still running, so that nothing waits for it. It returns how
// many clients have not got all that they have asked for.
func (l *loop) shut() (cut int) {
	for c := range l.clients.all {
		if c.departure.state < lingering && (c.midRequest() || c.outstanding()) {
			cut++
		}
		c.abort()
	}
	for _, u := range l.pools.members {
		u.First.Fail("is not asked any more: the proxy is shutting down")
	}
	l.eachExecutor((*execution.Executor).Shut)
	return cut
}

// close releases the loop's resources after it has ended.
func (l *loop) close() {
	l.clock.Stop()
	for _, timer := range []*time.Timer{l.timers.idle, l.timers.probing} {
		if timer != nil {
			timer.Stop()
		}
	}
	for _, u := range l.pools.members {
		u.Close()
	}
	l.eachExecutor((*execution.Executor).Close)
}
