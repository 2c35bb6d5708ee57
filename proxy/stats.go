package proxy

import (
	"sync"
	"sync/atomic"

	"github.com/memverbs/memverbs/proxy/execution"
	"github.com/memverbs/memverbs/proxy/hotkeys"
	"github.com/memverbs/memverbs/proxy/slow"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// report is the report of a loop for stats.
type report struct {
	counters
	verbs     execution.Counts
	upstreams []upstreamReport
	memory    int // in use, in bytes
	hot       hotkeys.Counts
	slow      []slow.Request
	slowCount uint64
}

type upstreamReport struct {
	upstream.Stats
	state   upstream.State
	version upstream.Version
	pending int
}

func (l *loop) report() report {
	r := report{counters: l.stats, verbs: l.verbs.Report()}
	r.meter = l.stats.meter.copy()
	r.connected = len(l.clients)
	r.memory = l.account.Used()
	l.timing.hot.AddTo(&r.hot, l.timing.Micros())
	r.slow, r.slowCount = l.timing.slow.Latest(), l.timing.slow.Count
	for _, u := range l.pool.All {
		r.upstreams = append(r.upstreams, upstreamReport{u.Stats, u.State, u.Version, u.InFlight()})
	}
	return r
}

// add merges the report of another loop into r. The state of an upstream is the worst
// of its states in all loops.
func (r *report) add(other report) {
	for i := range r.commands {
		r.commands[i] += other.commands[i]
	}
	r.meter.add(&other.meter)
	r.verbs.Add(&other.verbs)
	r.Counts.Add(&other.Counts)
	r.errors.client += other.errors.client
	r.errors.server += other.errors.server
	r.read += other.read
	r.written += other.written
	r.accepted += other.accepted
	r.cutOff += other.cutOff
	r.givenUp += other.givenUp
	r.connected += other.connected
	r.memory += other.memory
	r.hot.Merge(&other.hot)
	r.slow, r.slowCount = append(r.slow, other.slow...), r.slowCount+other.slowCount
	if r.upstreams == nil {
		r.upstreams = other.upstreams
		return
	}
	for i, u := range other.upstreams {
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
			then(all)
		}
	})
}

// resetStats resets the counts of all loops and then calls then, on one of them.
func (s *Server) resetStats(then func()) {
	var waiting atomic.Int64
	waiting.Store(int64(len(s.loops)))
	s.eachLoop(func(l *loop) {
		l.resetStats()
		if waiting.Add(-1) == 0 {
			then()
		}
	})
}

func (l *loop) resetStats() {
	l.stats = counters{}
	l.timing.slow.Count = 0
	l.verbs.ResetCounts()
	for _, u := range l.pool.All {
		u.Stats = upstream.Stats{}
	}
}
