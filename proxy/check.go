package proxy

import (
	"context"
	"fmt"
	"sync"

	"github.com/memverbs/memverbs/proxy/listen"
)

// checkUpstreams checks all upstreams concurrently, and returns the error of the first
// that can't be used.
func (s *Server) checkUpstreams() error {
	ctx, cancel := context.WithTimeout(s.context, s.config.ConnectTimeout)
	defer cancel()
	wrong := make([]error, len(s.config.Upstreams))
	var checks sync.WaitGroup
	for i, u := range s.config.Upstreams {
		if u.Check != nil {
			checks.Go(func() { wrong[i] = u.Check(ctx) })
		}
	}
	checks.Wait()
	for i, err := range wrong {
		if err != nil {
			return fmt.Errorf("upstream %s: %w", s.config.Upstreams[i].Name, err)
		}
	}
	return nil
}

// checkSelf refuses upstreams that are one of the proxy's own listeners.
func (s *Server) checkSelf() error {
	ctx, cancel := context.WithTimeout(s.context, s.config.ConnectTimeout)
	defer cancel()
	for _, u := range s.config.Upstreams {
		for _, l := range s.listeners {
			if listen.LeadsTo(ctx, u.Network, u.Address, l.Addr()) {
				return fmt.Errorf("upstream %s is this proxy itself, which listens on %s; give the address of a memcached", u.Name, l.Addr())
			}
		}
	}
	return nil
}
