package front

import (
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/report"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/upstream"
)

func (l *Loop) report() report.Report {
	r := report.Report{Counts: l.Stats, Connected: len(l.Clients.All), Memory: l.Account.Used(), Slow: l.timing.Slow.Latest(), SlowCount: l.timing.Slow.Count}
	for _, p := range l.Pools.Current {
		r.Pools = append(r.Pools, p.Report(l.timing.Micros()))
	}
	return r
}

func (l *Loop) resetStats() {
	l.Stats = status.Counts{}
	l.timing.Slow.Count = 0
	for _, p := range l.Pools.Current {
		p.Verbs.ResetCounts()
		*p.Stats = report.Counters{}
	}
	for _, u := range l.Pools.Members {
		u.Stats = upstream.Stats{}
	}
}

// membersAt returns the upstreams that the clients of a listener use.
func (l *Loop) membersAt(at *config.Socket) []*pool.Member {
	if r := l.Pools.routings[at]; r != nil {
		return r.Members
	}
	return nil
}
