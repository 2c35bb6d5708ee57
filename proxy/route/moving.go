package route

import (
	"time"

	"github.com/memverbs/memverbs/proxy/migration"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// Moving is the move of a pool's plain keys to other upstreams, on a loop.
type Moving struct {
	*migration.Migration
	From []*pool.Member // in the order of the indexes of the list before
}

// NewMoving returns the move of the keys of a pool, nil if there is none.
func NewMoving(p *Pool) *Moving {
	g := p.Shared.Migrating
	if g == nil {
		return nil
	}
	m := &Moving{Migration: g.Migration}
	for _, remote := range g.Sources(p.Shared) {
		m.From = append(m.From, p.Member(remote))
	}
	return m
}

// Source returns the upstream that had key, which owner has now; nil if the key does not move, or not any more. An upstream that has left
// the pool and is down is not waited for.
func (m *Moving) Source(key []byte, owner *pool.Member) *pool.Member {
	if m.Over() {
		return nil
	}
	i, moves := m.Migration.Source(key, owner.Index)
	if !moves {
		return nil
	}
	from := m.From[i]
	if from.Tried && from.State != upstream.Up && m.HasLeft(i) {
		m.GiveUp(i)
		return nil
	}
	return from
}

// Upholds reports whether the phase in which a command began that long ago is still one that others reckon with.
func (m *Moving) Upholds(passed time.Duration) bool { return passed < m.Settle/4 }
