package proxy

import (
	"context"
	"slices"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/discovery"
)

// follow begins to ask the sources of a setup, and ends asking others.
func (s *Server) follow(next *config.Setup) {
	watches := next.Watches()
	for w, end := range s.following {
		if !slices.Contains(watches, w) {
			end()
			delete(s.following, w)
		}
	}
	for _, w := range watches {
		if s.following[w] == nil {
			ctx, end := context.WithCancel(s.shared.Context)
			s.following[w] = end
			s.looking.Go(func() { s.keepAsking(ctx, w) })
		}
	}
}

// keepAsking asks a source until ctx is done, and logs why it has not answered, once for each reason.
func (s *Server) keepAsking(ctx context.Context, w *discovery.Watch) {
	said := ""
	w.Run(ctx, func(changed bool, err error) {
		switch {
		case err == nil && said != "":
			s.shared.Log.Info("servers can be found again", "source", w.Source().String())
			said = ""
		case err != nil && said != err.Error():
			said = err.Error()
			s.shared.Log.Warn("servers can't be found now: the last list of them is used", "reason", err)
		}
		if changed {
			s.relist(ctx)
		}
	})
}

// relist uses the present lists of servers.
func (s *Server) relist(ctx context.Context) {
	s.reloading.Lock()
	defer s.reloading.Unlock()
	now := s.shared.Setup.Load()
	switch {
	case s.stopping || ctx.Err() != nil:
	case now.Outdated():
		if err := s.change(now.Config); err != nil {
			s.shared.Log.Error("the servers that were found can't be used: those before are", "reason", err)
			now.Exclude()
		}
	default:
		now.Exclude()
	}
}
