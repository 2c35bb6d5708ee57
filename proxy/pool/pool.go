package pool

import (
	"github.com/memverbs/memverbs/proxy/admission"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// Pool is the upstreams of a loop, and decides which of them owns a key. A pool never
// changes, so a request may keep the pool it began with.
type Pool struct {
	All    []*Member
	layout Layout

	untried int
}

// Layout places keys on upstreams.
type Layout interface {
	// Locate returns the index of the upstream that owns key.
	Locate(key []byte) int
}

// New returns a pool of n servers, in the order of layout's indexes. Clients wait for
// them in queues.
func New(env *upstream.Env, servers *upstream.Servers, n int, layout Layout, queues *admission.Queues) *Pool {
	p := &Pool{layout: layout, untried: n}
	for i := range n {
		p.All = append(p.All, newMember(p, env, servers, i, queues))
	}
	return p
}

// Owner returns the upstream that owns key.
func (p *Pool) Owner(key []byte) *Member {
	if len(p.All) == 1 {
		return p.All[0]
	}
	return p.All[p.layout.Locate(key)]
}

// Tried reports whether the first attempt to connect has ended for all upstreams.
func (p *Pool) Tried() bool { return p.untried == 0 }
