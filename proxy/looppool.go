package proxy

import (
	"fmt"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/execution"
	"github.com/memverbs/memverbs/proxy/hotkeys"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/report"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs"
)

// loopPool is a pool on one event loop: its connections, its running verbs, its counts.
type loopPool struct {
	*pool.Pool
	shared *config.SharedPool
	env    *upstream.Env
	verbs  *execution.Executor
	stats  *report.Counters
	spare  *loopPool // see [Spare]; nil if there is none
	hot    *hotkeys.Window
}

// newLoopPool returns the loop's side of a pool. before is that of the pool by the same
// name which it replaces, nil if there is none.
func (l *loop) newLoopPool(p *config.SharedPool, before *loopPool) *loopPool {
	n := &loopPool{shared: p}
	var members *pool.Pool
	if before != nil {
		n.stats, n.hot, members = before.stats, before.hot, before.Pool
	} else {
		n.stats, n.hot = &report.Counters{}, hotkeys.NewWindow()
	}
	if before != nil && before.shared.ConnectsLike(p) {
		n.env = before.env
	} else {
		n.env = l.upstreamEnv(n)
	}
	n.Pool = pool.New(n.env, p.Remotes, p.Layout, &l.queues, members)
	n.verbs = execution.New(l.verbEnv(n), n.Pool)
	return n
}

// limit adapts what may be in flight to the number of upstreams of all pools.
func (p *loopPool) limit(l *loop, upstreams int) {
	p.env.UnderWay = upstream.UnderWayWith(int(l.budget.Limit) / connectionsShare / l.config.Loops / upstreams)
	for _, u := range p.All {
		u.Verbs.Most = pool.MostVerbs(l.config.Loops, upstreams)
	}
}

// connectionsShare is the fraction of the memory that each limit of [upstream.UnderWay]
// may take on all connections together.
const connectionsShare = 8

// upstreamEnv returns the Env of the upstreams of p.
func (l *loop) upstreamEnv(p *loopPool) *upstream.Env {
	return &upstream.Env{
		Net:            l.net,
		Batch:          &l.batch,
		Clock:          l.clock,
		Time:           l.timing.Clock,
		Pool:           &l.buffers,
		Context:        l.context,
		Counts:         &p.stats.Counts,
		Timeout:        p.shared.Timeout,
		ConnectTimeout: p.shared.ConnectTimeout,
		MaxItemSize:    p.shared.MaxItemSize,
		MaxLong:        verbs.MaxAnswer,
		Login:          p.shared.Login,
		OnReturn:       p.shared.WhenBack(),
		SpareOf:        l.spareOf,
		Returned:       l.returned,
		LargeReply:     l.largeReply(),
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

// verbEnv returns the Env of the verbs of p.
func (l *loop) verbEnv(p *loopPool) execution.Env {
	return execution.Env{
		Net:      l.net,
		Counts:   &p.stats.Verbs,
		Work:     &l.work,
		Clock:    l.clock,
		Time:     l.timing.Clock,
		Log:      l.log,
		Account:  &l.account,
		Queues:   &l.queues,
		Loops:    l.config.Loops,
		Timeout:  p.shared.Timeout,
		Options:  &p.shared.Verbs,
		ViewRoom: l.viewRoom,
		Post:     l.post,
		Settle:   l.settle,
		Shed:     l.shed,
		RelieveVerbs: func() {
			for _, other := range l.loops {
				other.post(other.relieveVerbs)
			}
		},
		Elsewhere: l.elsewhere,
	}
}

// elsewhere is Elsewhere of [execution.Env]. Only one function runs at a time: the loops
// need the processors too.
func (s *shared) elsewhere(do, then func()) {
	go func() {
		s.worksBeside()
		s.aside.Lock()
		do()
		s.aside.Unlock()
		then()
	}()
}
