package proxy

import (
	"context"
	"time"

	"github.com/memverbs/memverbs/proxy/discovery"
)

// keepAsking asks a source until ctx is done, and logs why it has not answered, once for each reason.
func (s *Server) keepAsking(ctx context.Context, w *discovery.Watch) {
	said, short := "", time.Duration(0)
	w.Run(ctx, func(changed bool, err error) {
		short = s.warnOfSettle(w, short)
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

// warnOfSettle logs that the answers of a source may be kept for longer than settle allows for. It returns how long proxies may learn of
// a change after each other, if that is too long, so that it is logged once; before is what it has returned before.
func (s *Server) warnOfSettle(w *discovery.Watch, before time.Duration) time.Duration {
	for _, p := range s.shared.Setup.Load().Pools {
		if p.Discovery == nil || p.Discovery.Watch != w || p.Placing.Settle == 0 {
			continue
		}
		apart := w.Apart() + p.Timeout
		if apart < p.Placing.Settle {
			return 0
		}
		if apart > before {
			s.shared.Log.Warn("settle is too short: proxies may learn of a change of the servers further apart, and a structure may be made in two places meanwhile; raise settle, or lower discover-every or the time for which name servers keep the answer",
				"source", w.Source().String(), "settle", p.Placing.Settle, "apart", apart)
		}
		return apart
	}
	return before
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
