package front

import (
	"time"

	"github.com/memverbs/memverbs/proxy/clock"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/latency"
	"github.com/memverbs/memverbs/proxy/reply"
	"github.com/memverbs/memverbs/proxy/transport"
)

// NewLoop returns a loop that uses a setup.
func NewLoop(s *Shared, net *transport.Loop, first *config.Setup) *Loop {
	l := &Loop{
		Shared:  s,
		net:     net,
		Clients: loopClients{All: map[*Client]struct{}{}, Leaving: map[*Client]struct{}{}},
	}
	l.clock = clock.New(tickFor(first), l.Post, l.onTick)
	l.timing = reply.Timing{Clock: latency.NewClock(), Threshold: s.Config.Slow}
	l.timing.Slow.To = l.Log
	l.Account.Budget = &s.Budget
	l.Buffers.Account = &l.Account
	l.replies = reply.Common{Counts: &l.Stats, Account: &l.Account, Timing: &l.timing}
	l.net.Serve(l, &l.Buffers)
	l.Apply(first)
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

// ticksPerTimeout is the number of clock ticks in an upstream's time-out.
const ticksPerTimeout = 20

// maxTick is the longest clock tick.
const maxTick = 50 * time.Millisecond
