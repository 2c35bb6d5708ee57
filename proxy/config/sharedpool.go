package config

import (
	"log/slog"
	"slices"
	"time"

	"github.com/memverbs/memverbs/proxy/holding"
	"github.com/memverbs/memverbs/proxy/near"
	"github.com/memverbs/memverbs/proxy/placement"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs/structure"
	"github.com/memverbs/memverbs/verbs/waiters"
)

// SharedPool is a pool as all loops see it.
type SharedPool struct {
	Pool
	stale      Staleness
	guard      guard
	Remotes    []*upstream.Remote
	Awaited    *waiters.Awaited      // what calls of verbs wait for
	Precedence *structure.Precedence // which loop decides next on a structure
	Kept       *near.Cache           // the values that are kept in the process, nil if none are
	Places     *placement.Places     // where structures are while servers change, nil if they are always where the layout says
	Migrating  *Migrating            // the move of plain keys that is under way, nil if there is none
	Held       *holding.Keys         // the keys for which gets wait that miss, nil if none do
	log        *slog.Logger
}

// newSharedPool returns the pool of a configuration. before is the one by that name in the
// setup before, nil if there is none. gone are the upstreams that reloads have removed.
func newSharedPool(config Pool, before *SharedPool, gone Gone, stale Staleness, loops int, log *slog.Logger) *SharedPool {
	if before != nil && len(config.Settings) > 0 && slices.Equal(before.Settings, config.Settings) && slices.Equal(before.listed, config.listed) && before.Migrating.of() == config.migrating.of() {
		return before
	}
	p := &SharedPool{Pool: config, guard: newGuard(config.Guard), log: log, stale: stale, Awaited: &waiters.Awaited{}, Precedence: &structure.Precedence{}}
	p.Verbs.ReadOnly = config.Guard.ReadOnly
	p.Places = placesOf(&config, before)
	p.Upstreams = slices.Clone(config.Upstreams)
	for i, u := range config.Upstreams {
		if n := before.keeps(p, u); n >= 0 {
			p.Upstreams[i] = before.Upstreams[n]
			p.Remotes = append(p.Remotes, before.Remotes[n])
			continue
		}
		remote := p.newRemote(u, loops)
		if gone[u.server()] {
			remote.MarkReturning()
		}
		p.Remotes = append(p.Remotes, remote)
	}
	p.Migrating = config.migrating.with(p, before, loops)
	if len(config.Near) > 0 {
		p.Kept = near.New(config.Near, before.changesFor())
	}
	if len(config.HoldMisses) > 0 {
		p.Held = holding.NewKeys(config.HoldMisses)
	}
	return p
}

// changesFor returns for how long changes may be under way that began before the setup of p's successor was used.
func (p *SharedPool) changesFor() time.Duration {
	if p == nil {
		return 0
	}
	return upstream.LongestAnswer(p.Timeout)
}

// newRemote returns the Remote of an upstream of p.
func (p *SharedPool) newRemote(u Upstream, loops int) *upstream.Remote {
	return upstream.NewRemote(upstream.Server{Name: u.Name, ID: u.server(), Resolve: u.Resolve, Dial: u.Dial, Ended: u.Ended}, loops, p.stale.Memory.Of(u.server()), p.stale.informed, p.log)
}

// keeps returns the index of the upstream of p that p's successor uses too, as u; -1 if there is none.
// A server with another name counts as another one, because its metrics have the name.
func (p *SharedPool) keeps(successor *SharedPool, u Upstream) int {
	if p == nil || !p.ConnectsLike(successor) {
		return -1
	}
	i := slices.IndexFunc(p.Upstreams, func(mine Upstream) bool { return mine.server() == u.server() && mine.Name == u.Name })
	if i < 0 || slices.Contains(successor.Remotes, p.Remotes[i]) {
		return -1
	}
	return i
}

// ConnectsLike reports whether connections to an upstream of p can be used for one of other: whether all
// settings that concern connections are equal.
func (p *SharedPool) ConnectsLike(other *SharedPool) bool {
	return slices.Equal(p.ofConnections(), other.ofConnections())
}

// ofConnections returns the settings that connections depend on.
func (p *SharedPool) ofConnections() []Setting {
	return slices.DeleteFunc(slices.Clone(p.Settings), func(s Setting) bool { return s.AtOnce })
}

// server identifies the server, whichever pools have it.
func (u *Upstream) server() string {
	if u.Address == "" {
		return u.Name
	}
	return u.Network + ":" + u.Address
}

// WhenBack returns what is done when an upstream of the pool is back.
func (p *SharedPool) WhenBack() upstream.OnReturn {
	if p.Guard.ReadOnly {
		return upstream.Keep
	}
	return p.OnReturn
}

// names returns the names of the upstreams.
func (p *SharedPool) names() (names []string) {
	for _, u := range p.Upstreams {
		names = append(names, u.Name)
	}
	return names
}

// servers returns the identities of the upstreams; their names may change.
func (p *SharedPool) servers() (ids []string) {
	for _, u := range p.Upstreams {
		ids = append(ids, u.server())
	}
	return ids
}
