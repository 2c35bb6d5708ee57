package proxy

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/hotkeys"
	"github.com/memverbs/memverbs/proxy/slow"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// report is the report of a loop for stats.
type report struct {
	status.Counts
	connected int // clients
	pools     []poolReport
	memory    int // in use, in bytes
	slow      []slow.Request
	slowCount uint64
}

// poolReport is the report on one pool.
type poolReport struct {
	poolCounters
	pool      *config.SharedPool
	upstreams []upstreamReport
	hot       hotkeys.Counts
}

type upstreamReport struct {
	upstream.Stats
	remote  *upstream.Remote
	state   upstream.State
	version upstream.Version
	pending int
}

func (l *loop) report() report {
	r := report{Counts: l.stats, connected: len(l.clients.all), memory: l.account.Used(), slow: l.timing.Slow.Latest(), slowCount: l.timing.Slow.Count}
	for _, p := range l.pools.current {
		r.pools = append(r.pools, p.report(l.timing.Micros()))
	}
	return r
}

// report returns the report on the pool. now is the time in microseconds.
func (p *loopPool) report(now int64) poolReport {
	r := poolReport{poolCounters: *p.stats, pool: p.shared}
	r.meter, r.verbs = p.stats.meter.Copy(), p.verbs.Report()
	p.hot.AddTo(&r.hot, now)
	for i, u := range p.All {
		r.upstreams = append(r.upstreams, upstreamReport{u.Stats, p.shared.Remotes[i], u.State, u.Version, u.InFlight()})
	}
	return r
}

// add merges the report of another loop into r.
func (r *report) add(other report) {
	r.Counts.Add(&other.Counts)
	r.connected += other.connected
	for _, p := range other.pools {
		if mine := r.of(p.pool.Name); mine != nil {
			mine.add(&p)
		} else {
			r.pools = append(r.pools, p)
		}
	}
	r.memory += other.memory
	r.slow, r.slowCount = append(r.slow, other.slow...), r.slowCount+other.slowCount
}

// of returns the report on the pool of that name, nil if there is none.
func (r *report) of(name string) *poolReport {
	for i := range r.pools {
		if r.pools[i].pool.Name == name {
			return &r.pools[i]
		}
	}
	return nil
}

// together returns the sums of the reports on the pools of a listener.
func (r *report) together(at *config.Listener) (all poolReport) {
	seen := map[string]bool{}
	for _, to := range at.Routes {
		if p := r.of(to.Pool); p != nil && !seen[to.Pool] {
			seen[to.Pool] = true
			all.poolCounters.add(&p.poolCounters)
			all.upstreams = append(all.upstreams, p.upstreams...)
			all.hot.Merge(&p.hot)
		}
	}
	return all
}

func (c *poolCounters) add(other *poolCounters) {
	c.Counts.Add(&other.Counts)
	c.verbs.Add(&other.verbs)
	c.meter.Add(&other.meter)
	c.tooLarge += other.tooLarge
	c.noMemory += other.noMemory
	for i := range c.commands {
		c.commands[i] += other.commands[i]
	}
}

// add merges the report of another loop on the same pool into r. The state of an upstream is
// the worst of its states in all loops. Loops may have different upstreams for the moment of
// a reload.
func (r *poolReport) add(other *poolReport) {
	r.poolCounters.add(&other.poolCounters)
	r.hot.Merge(&other.hot)
	for _, u := range other.upstreams {
		i := slices.IndexFunc(r.upstreams, func(mine upstreamReport) bool { return mine.remote == u.remote })
		if i < 0 {
			continue
		}
		mine := &r.upstreams[i]
		mine.Stats.Add(&u.Stats)
		mine.pending += u.pending
		if u.state == upstream.Up && mine.version == (upstream.Version{}) {
			mine.version = u.version
		}
		if u.state != upstream.Up {
			mine.state = u.state
		}
	}
}

// collect gathers the reports of all loops and calls then, on one of them.
func (s *Server) collect(then func(report)) {
	var mu sync.Mutex
	var all report
	waiting := len(s.loops)
	s.eachLoop(func(l *loop) {
		mu.Lock()
		defer mu.Unlock()
		all.add(l.report())
		if waiting--; waiting == 0 {
			s.addCounts(&all.Counts)
			then(all)
		}
	})
}

// resetStats resets the counts of all loops and then calls then, on one of them.
func (s *Server) resetStats(then func()) {
	var waiting atomic.Int64
	waiting.Store(int64(len(s.loops)))
	s.loops[0].post(s.polls.known.Reset)
	s.eachLoop(func(l *loop) {
		l.resetStats()
		if waiting.Add(-1) == 0 {
			then()
		}
	})
}

func (l *loop) resetStats() {
	l.stats = status.Counts{}
	l.timing.Slow.Count = 0
	for _, p := range l.pools.current {
		p.verbs.ResetCounts()
		*p.stats = poolCounters{}
	}
	for _, u := range l.pools.members {
		u.Stats = upstream.Stats{}
	}
}

// addCounts adds what is not counted on the loops.
func (s *Server) addCounts(to *status.Counts) {
	to[status.Rejected] += s.rejected.Load()
	to[status.Unaccepted] += s.unaccepted.Load()
	to[status.LogLost] += s.config.LogLinesLost()
	to[status.FullHandshakes] += s.handshakes.Full.Load()
	to[status.ResumedHandshakes] += s.handshakes.Resumed.Load()
	to[status.FailedHandshakes] += s.handshakes.Failed.Load()
}
