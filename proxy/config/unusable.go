package config

import (
	"context"
	"fmt"
	"sync"

	"github.com/memverbs/memverbs/proxy/listen"
)

// CheckUpstreams checks all upstreams of the configuration concurrently, and returns the error
// of the first that can't be used.
func (c *Config) CheckUpstreams(ctx context.Context) error {
	var checks sync.WaitGroup
	wrong := make([][]error, len(c.Pools))
	for n := range c.Pools {
		p := &c.Pools[n]
		wrong[n] = make([]error, len(p.Upstreams))
		ctx, cancel := context.WithTimeout(ctx, p.ConnectTimeout)
		defer cancel()
		for i, u := range p.Upstreams {
			if u.Check != nil {
				checks.Go(func() { wrong[n][i] = u.Check(ctx) })
			}
		}
	}
	checks.Wait()
	for n, p := range c.Pools {
		for i, err := range wrong[n] {
			if err != nil {
				return fmt.Errorf("upstream %s: %w", p.Upstreams[i].Name, err)
			}
		}
	}
	return nil
}

// CheckSelf refuses upstreams that are one of the proxy's own listeners.
func (s *Setup) CheckSelf(ctx context.Context) error {
	for _, p := range s.Pools {
		ctx, cancel := context.WithTimeout(ctx, p.ConnectTimeout)
		defer cancel()
		for _, u := range p.Upstreams {
			for _, l := range s.Sockets {
				if listen.LeadsTo(ctx, u.Network, u.Address, l.Addr()) {
					return fmt.Errorf("upstream %s is this proxy itself, which listens on %s; give the address of a memcached", u.Name, listen.AddressOf(l.Addr()))
				}
			}
		}
	}
	return nil
}
