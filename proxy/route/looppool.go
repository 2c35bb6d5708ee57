package route

import (
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/execution"
	"github.com/memverbs/memverbs/proxy/hotkeys"
	"github.com/memverbs/memverbs/proxy/namespace"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/report"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// Pool is a pool on one event loop: its connections, its running verbs, its counts.
type Pool struct {
	*pool.Pool
	Shared *config.SharedPool
	Env    *upstream.Env
	Verbs  *execution.Executor
	Stats  *report.Counters
	Spare  *Pool // see [Spare]; nil if there is none
	Hot    *hotkeys.Window
	Spaces []*namespace.Spaces // of each server, nil if the pool has no namespaces
	Moving *Moving             // the move of its plain keys that is under way, nil if there is none
}

// Limit sets the limits of what may be in flight, which depend on the number of upstreams of all pools. memory is the
// most for requests and replies in flight, in bytes.
func (p *Pool) Limit(memory, loops, upstreams int) {
	p.Env.UnderWay = upstream.UnderWayWith(memory / connectionsShare / loops / upstreams)
	for _, u := range p.Everyone() {
		u.Verbs.Most = pool.MostVerbs(loops, upstreams)
	}
}

// connectionsShare is the fraction of the memory that each limit of [upstream.UnderWay]
// may take on all connections together.
const connectionsShare = 8

// Retired reports whether another pool has replaced p.
func (p *Pool) Retired() bool { return p.Verbs.Retired() }

// Report returns the report on the pool. now is the time in microseconds.
func (p *Pool) Report(now int64) report.Pool {
	r := report.Pool{Counters: *p.Stats, Of: p.Shared}
	r.Meter, r.Verbs = p.Stats.Meter.Copy(), p.Verbs.Report()
	p.Hot.AddTo(&r.Hot, now)
	if p.Shared.Kept != nil {
		r.Near.Values, r.Near.Bytes = p.Shared.Kept.Held()
	}
	if p.Shared.Held != nil {
		r.Held = p.Shared.Held.Waiting()
	}
	for i, u := range p.All {
		r.Upstreams = append(r.Upstreams, report.Upstream{Stats: u.Stats, Remote: p.Shared.Remotes[i], State: u.State, Version: u.Version, Pending: u.InFlight()})
	}
	return r
}
