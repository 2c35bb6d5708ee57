package proxy

import (
	"context"

	"github.com/memverbs/memverbs/proxy/config"
)

// background is what runs because of the setup in use, by what it is for, and what ends it.
type background map[any]context.CancelFunc

// keepUp begins to ask the sources of servers of a setup, and to take its moves of keys to their ends. It ends what ran for an earlier
// setup and is in this one no more.
func (s *Server) keepUp(next *config.Setup) {
	wanted := map[any]func(context.Context){}
	for _, w := range next.Watches() {
		wanted[w] = func(ctx context.Context) { s.keepAsking(ctx, w) }
	}
	for _, p := range next.Pools {
		if p.Migrating != nil {
			wanted[p.Migrating.Migration] = func(ctx context.Context) { s.takeThrough(ctx, p) }
		}
	}
	for of, end := range s.background {
		if wanted[of] == nil {
			end()
			delete(s.background, of)
		}
	}
	for of, run := range wanted {
		if s.background[of] == nil {
			ctx, end := context.WithCancel(s.shared.Context)
			s.background[of] = end
			s.looking.Go(func() { run(ctx) })
		}
	}
}
