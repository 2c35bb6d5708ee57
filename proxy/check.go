package proxy

import (
	"context"
	"fmt"
	"sync"

	"github.com/memverbs/memverbs/proxy/listen"
)

// checkUpstreams checks all upstreams of a configuration concurrently, and returns the error
// of the first that can't be used.
func (s *Server) checkUpstreams(config *Config) error {
	var checks sync.WaitGroup
	wrong := make([][]error, len(config.Pools))
	for n := range config.Pools {
		p := &config.Pools[n]
		wrong[n] = make([]error, len(p.Upstreams))
		ctx, cancel := context.WithTimeout(s.context, p.ConnectTimeout)
		defer cancel()
		for i, u := range p.Upstreams {
			if u.Check != nil {
				checks.Go(func() { wrong[n][i] = u.Check(ctx) })
			}
		}
	}
	checks.Wait()
	for n, p := range config.Pools {
		for i, err := range wrong[n] {
			if err != nil {
				return fmt.Errorf("upstream %s: %w", p.Upstreams[i].Name, err)
			}
		}
	}
	return nil
}

// checkSelf refuses upstreams that are one of the proxy's own listeners.
func (s *Server) checkSelf(of *setup) error {
	for _, p := range of.pools {
		ctx, cancel := context.WithTimeout(s.context, p.ConnectTimeout)
		defer cancel()
		for _, u := range p.Upstreams {
			for _, l := range of.listeners {
				if listen.LeadsTo(ctx, u.Network, u.Address, l.Addr()) {
					return fmt.Errorf("upstream %s is this proxy itself, which listens on %s; give the address of a memcached", u.Name, listen.AddressOf(l.Addr()))
				}
			}
		}
	}
	return nil
}
