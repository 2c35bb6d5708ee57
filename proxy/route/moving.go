package route

import (
	"slices"
	"time"

	"github.com/memverbs/memverbs/proxy/migration"
	"github.com/memverbs/memverbs/proxy/moving"
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

// Source returns the upstream that had key, which owner has now; nil if the key does not move, or not any more.
func (m *Moving) Source(key []byte, owner *pool.Member) *pool.Member {
	if m.Over() {
		return nil
	}
	i, moves := m.Migration.Source(key, owner.Index)
	if !moves {
		return nil
	}
	return m.From[i]
}

// Phase returns how far this process has come with the key of to. It does not move if no other server had it, or one of
// the two does not know meta commands or conditions. An upstream that has left the pool and
// is down is not waited for: its keys are where they are to be, but others may still have placeholders there. Nor is anything stored
// there before it is known what is older than the move, as it would be taken for that.
func (to *Target) Phase() (p moving.Phase, confirmed, underWay bool) {
	if to.Source == nil {
		return 0, false, false
	}
	m := to.Pool.Moving
	p, confirmed, underWay = m.Phase(time.Now())
	if !carriesItems(to.Source) || !carriesItems(to.Owner) {
		return p, confirmed, false
	}
	if _, known := m.Cut(to.Owner.Index); underWay && known && m.IsGivenUp(to.Source) {
		return moving.Ending, true, true
	}
	return p, confirmed, underWay
}

// carriesItems reports whether an upstream that is up knows what it takes to move items.
func carriesItems(u *pool.Member) bool {
	return u.State != upstream.Up || u.Version.AtLeast(upstream.MetaCommands) && !u.LacksCAS()
}

// IsGivenUp reports whether an upstream that had keys is not asked for them any more.
func (m *Moving) IsGivenUp(source *pool.Member) bool {
	i := slices.Index(m.From, source)
	if source.Tried && source.State != upstream.Up && m.HasLeft(i) {
		m.GiveUp(i)
	}
	return m.GaveUp(i)
}

// Upholds reports whether the phase in which a command began that long ago is still one that others reckon with.
func (m *Moving) Upholds(passed time.Duration) bool { return passed < m.Settle/4 }
