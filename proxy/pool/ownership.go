package pool

import (
	"slices"

	"github.com/memverbs/memverbs/proxy/admission"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/sharding"
)

// Pool has the upstreams of a loop, and decides which of them owns a key. A pool never changes, so
// a request may keep the pool that it began with.
type Pool struct {
	All     []*Member
	Leaving []*Member // that own no keys any more, see [Pool.Keep]
	layout  sharding.Layout
	tried   bool // see Tried
}

// New returns a pool of upstreams, in the order of layout's indexes. Clients wait for them
// in queues. Upstreams that the previous pool, before, has too are taken over with their
// connections; before may be nil.
func New(env *upstream.Env, remotes []*upstream.Remote, layout sharding.Layout, queues *admission.Queues, before *Pool) *Pool {
	p := &Pool{layout: layout}
	for i, remote := range remotes {
		m := before.memberOrNew(env, remote, queues)
		m.Index = i
		p.All = append(p.All, m)
	}
	return p
}

// Keep has the pool keep upstreams that own no keys any more, because items are moved from there. before is as in [New].
func (p *Pool) Keep(env *upstream.Env, remotes []*upstream.Remote, queues *admission.Queues, before *Pool) {
	for _, remote := range remotes {
		m := before.memberOrNew(env, remote, queues)
		m.Index = len(p.All) + len(p.Leaving)
		p.Leaving = append(p.Leaving, m)
	}
}

// Everyone returns all upstreams of the pool.
func (p *Pool) Everyone() []*Member { return slices.Concat(p.All, p.Leaving) }

// memberOrNew returns the member of p for an upstream, a new one if there is none.
func (p *Pool) memberOrNew(env *upstream.Env, remote *upstream.Remote, queues *admission.Queues) *Member {
	if m := p.Member(remote); m != nil {
		return m
	}
	return newMember(env, remote, queues)
}

// Member returns the member of p for an upstream, nil if there is none.
func (p *Pool) Member(remote *upstream.Remote) *Member {
	if p == nil {
		return nil
	}
	for _, m := range p.Everyone() {
		if m.Remote == remote {
			return m
		}
	}
	return nil
}

// Owner returns the upstream that owns key.
func (p *Pool) Owner(key []byte) *Member {
	if len(p.All) == 1 {
		return p.All[0]
	}
	return p.All[p.layout.Locate(key)]
}

// Tried reports whether the first attempt to connect has ended for all upstreams.
func (p *Pool) Tried() bool {
	if !p.tried {
		p.tried = p.Untried() == nil
	}
	return p.tried
}

// Untried returns an upstream for which the first attempt to connect has not ended, nil if there is none.
func (p *Pool) Untried() *Member {
	if i := slices.IndexFunc(p.All, func(m *Member) bool { return !m.Tried }); i >= 0 {
		return p.All[i]
	}
	return nil
}
