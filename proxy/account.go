package proxy

import (
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/report"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/upstream"
)

func (l *loop) report() report.Report {
	r := report.Report{Counts: l.stats, Connected: len(l.clients.all), Memory: l.account.Used(), Slow: l.timing.Slow.Latest(), SlowCount: l.timing.Slow.Count}
	for _, p := range l.pools.current {
		r.Pools = append(r.Pools, p.report(l.timing.Micros()))
	}
	return r
}

// report returns the report on the pool. now is the time in microseconds.
func (p *loopPool) report(now int64) report.Pool {
	r := report.Pool{Counters: *p.stats, Of: p.shared}
	r.Meter, r.Verbs = p.stats.Meter.Copy(), p.verbs.Report()
	p.hot.AddTo(&r.Hot, now)
	for i, u := range p.All {
		r.Upstreams = append(r.Upstreams, report.Upstream{Stats: u.Stats, Remote: p.shared.Remotes[i], State: u.State, Version: u.Version, Pending: u.InFlight()})
	}
	return r
}

func (l *loop) resetStats() {
	l.stats = status.Counts{}
	l.timing.Slow.Count = 0
	for _, p := range l.pools.current {
		p.verbs.ResetCounts()
		*p.stats = report.Counters{}
	}
	for _, u := range l.pools.members {
		u.Stats = upstream.Stats{}
	}
}

// membersAt returns the upstreams that the clients of a listener use.
func (l *loop) membersAt(at *config.Socket) []*pool.Member {
	if r := l.pools.routings[at]; r != nil {
		return r.members
	}
	return nil
}
