package proxy

import (
	"context"
	"slices"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/migration"
)

// migrations are the moves of keys that are under way, and what ends them early.
type migrations map[*migration.Migration]context.CancelFunc

// migrate takes the moves of keys of a setup to their ends, and ends those of others.
func (s *Server) migrate(next *config.Setup) {
	of := func(m *migration.Migration) func(*config.SharedPool) bool {
		return func(p *config.SharedPool) bool { return p.Migrating != nil && p.Migrating.Migration == m }
	}
	for m, end := range s.migrations {
		if !slices.ContainsFunc(next.Pools, of(m)) {
			end()
			delete(s.migrations, m)
		}
	}
	for _, p := range next.Pools {
		if p.Migrating == nil || s.migrations[p.Migrating.Migration] != nil {
			continue
		}
		ctx, end := context.WithCancel(s.shared.Context)
		s.migrations[p.Migrating.Migration] = end
		s.looking.Go(func() { s.takeThrough(ctx, p) })
	}
}

// takeThrough takes the move of a pool's keys to its end, and then uses the servers without it.
func (s *Server) takeThrough(ctx context.Context, p *config.SharedPool) {
	m := p.Migrating.Migration
	k := migration.Keeper{
		Migration: m,
		Pool:      p.Name,
		Servers:   p.Migrating.Servers,
		Log:       s.shared.Log,
		Fresh:     p.Migrating.Fresh,
		Skips:     func(key []byte) bool { return p.Namespaces.Of(key) > 0 },
		Move: func(keys [][]byte, then func(remained int)) {
			first := s.shared.Loops[0]
			if !first.Post(func() { first.Bring(m, keys, then) }) {
				then(len(keys))
			}
		},
	}
	if !m.Ends() { // it was not joined at its end
		s.shared.Log.Info("plain keys move to other servers", "pool", p.Name, "from", m.From.Servers, "to", m.To.Servers)
	}
	k.Run(ctx)
	if m.Over() {
		s.shared.Log.Info("plain keys have moved to other servers", "pool", p.Name, "moved", m.Tally.Moved.Load(), "older-deleted", m.Tally.Strays.Load())
		s.relist(ctx)
	}
}
