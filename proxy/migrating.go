package proxy

import (
	"context"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/migration"
)

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
