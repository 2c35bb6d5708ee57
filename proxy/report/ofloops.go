package report

import (
	"slices"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/hotkeys"
	"github.com/memverbs/memverbs/proxy/slow"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// Report is the report of a loop for stats.
type Report struct {
	status.Counts
	Connected int // clients
	Pools     []Pool
	Memory    int // in use, in bytes
	Slow      []slow.Request
	SlowCount uint64
}

// Pool is the report on one pool.
type Pool struct {
	Counters
	Of        *config.SharedPool
	Upstreams []Upstream
	Hot       hotkeys.Counts
	Near      status.Near
	Held      int // gets that wait until another client stores what they miss
	Unswept   int // servers that are still to be swept, of all pools together
}

type Upstream struct {
	upstream.Stats
	Remote  *upstream.Remote
	State   upstream.State
	Version upstream.Version
	Pending int
}

// all returns the counts of the upstream, and how many keys are remembered that are outdated there.
func (u *Upstream) all() (c status.UpstreamCounts, remembered int) {
	c = u.Counts
	outdated := u.Remote.Outdated()
	c[status.Outages], c[status.Cleared], c[status.Forgotten] = u.Remote.Outage().Count, outdated.Deleted, outdated.Forgotten
	return c, outdated.Remembered
}

// Add merges the report of another loop into r.
func (r *Report) Add(other Report) {
	status.Add(r.Counts[:], other.Counts[:])
	r.Connected += other.Connected
	for _, p := range other.Pools {
		if mine := r.of(p.Of.Name); mine != nil {
			mine.add(&p)
		} else {
			r.Pools = append(r.Pools, p)
		}
	}
	r.Memory += other.Memory
	r.Slow, r.SlowCount = append(r.Slow, other.Slow...), r.SlowCount+other.SlowCount
}

// of returns the report on the pool of that name, nil if there is none.
func (r *Report) of(name string) *Pool {
	for i := range r.Pools {
		if r.Pools[i].Of.Name == name {
			return &r.Pools[i]
		}
	}
	return nil
}

// together returns the sums of the reports on the pools of a listener. Of their shadows, which have no requests of clients, it
// has what is counted of shadows only.
func (r *Report) together(at *config.Listener) (all Pool) {
	seen := map[string]bool{}
	for _, name := range at.Pools() {
		if p := r.of(name); p != nil && !seen[name] {
			seen[name] = true
			all.Counters.add(&p.Counters)
			all.Upstreams = append(all.Upstreams, p.Upstreams...)
			all.Hot.Merge(&p.Hot)
			all.Held += p.Held
			all.Unswept += p.Of.ServersStatus().Move.Unswept
			all.Near.Values, all.Near.Bytes = all.Near.Values+p.Near.Values, all.Near.Bytes+p.Near.Bytes
		}
	}
	for _, name := range at.Shadows() {
		if p := r.of(name); p != nil && !seen[name] {
			seen[name] = true
			all.Verbs.Pool.AddShadowed(&p.Verbs.Pool)
		}
	}
	return all
}

// add merges the report of another loop on the same pool into r. The state of an upstream is
// the worst of its states in all loops. During a reload, loops may have different upstreams for a
// moment.
func (r *Pool) add(other *Pool) {
	r.Counters.add(&other.Counters)
	r.Hot.Merge(&other.Hot)
	for _, u := range other.Upstreams {
		i := slices.IndexFunc(r.Upstreams, func(mine Upstream) bool { return mine.Remote == u.Remote })
		if i < 0 {
			continue
		}
		mine := &r.Upstreams[i]
		mine.Stats.Add(&u.Stats)
		mine.Pending += u.Pending
		if u.State == upstream.Up && mine.Version == (upstream.Version{}) {
			mine.Version = u.Version
		}
		if u.State != upstream.Up {
			mine.State = u.State
		}
	}
}
