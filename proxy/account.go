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
		r.Pools = append(r.Pools, p.Report(l.timing.Micros()))
	}
	return r
}

func (l *loop) resetStats() {
	l.stats = status.Counts{}
	l.timing.Slow.Count = 0
	for _, p := range l.pools.current {
		p.Verbs.ResetCounts()
		*p.Stats = report.Counters{}
	}
	for _, u := range l.pools.members {
		u.Stats = upstream.Stats{}
	}
}

// membersAt returns the upstreams that the clients of a listener use.
func (l *loop) membersAt(at *config.Socket) []*pool.Member {
	if r := l.pools.routings[at]; r != nil {
		return r.Members
	}
	return nil
}
