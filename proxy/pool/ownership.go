package pool

import (
	"slices"

	"github.com/memverbs/memverbs/proxy/admission"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// Pool has the upstreams of a loop, and decides which of them owns a key. A pool never changes, so
// a request may keep the pool that it began with.
type Pool struct {
	All    []*Member
	layout Layout
	tried  bool // see Tried
}

// Layout places keys on upstreams.
type Layout interface {
	// Locate returns the index of the upstream that owns key.
	Locate(key []byte) int
}

// New returns a pool of upstreams, in the order of layout's indexes. Clients wait for them
// in queues. Upstreams that the previous pool, before, has too are taken over with their
// connections; before may be nil.
func New(env *upstream.Env, remotes []*upstream.Remote, layout Layout, queues *admission.Queues, before *Pool) *Pool {
	p := &Pool{layout: layout}
	for i, remote := range remotes {
		m := before.member(remote)
		if m == nil {
			m = newMember(env, remote, queues)
		}
		m.Index = i
		p.All = append(p.All, m)
	}
	return p
}

// member returns the member of p for an upstream, nil if there is none.
func (p *Pool) member(remote *upstream.Remote) *Member {
	if p == nil {
		return nil
	}
	for _, m := range p.All {
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
