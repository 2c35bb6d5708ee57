package config

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/memverbs/memverbs/proxy/discovery"
)

// FindServers completes the pools whose servers are found, and those whose keys move. What before, if not nil, has found by the same source is
// known already; other sources are asked for the first time.
func (c *Config) FindServers(ctx context.Context, before *Setup) error {
	c.Pools = slices.Clone(c.Pools)
	var wrong []error
	for i := range c.Pools {
		p := &c.Pools[i]
		if p.Discovery != nil {
			if err := p.find(ctx, before.Pool(p.Name)); err != nil {
				wrong = append(wrong, &FindError{p.Name, err})
				continue
			}
		}
		if err := p.migrates(ctx, before.Pool(p.Name)); err != nil {
			wrong = append(wrong, &FindError{p.Name, err})
		}
	}
	for i := range c.Pools {
		p := &c.Pools[i]
		from := slices.IndexFunc(c.Pools, func(other Pool) bool { return other.Name == p.Placing.WarmFrom })
		if from < 0 || wrong != nil {
			continue
		}
		if err := p.warms(ctx, &c.Pools[from], before.Pool(p.Name)); err != nil {
			wrong = append(wrong, &FindError{p.Name, err})
		}
	}
	return errors.Join(wrong...)
}

// FindError is the error of a pool whose servers can't be found, or make up no pool.
type FindError struct {
	Pool string
	Err  error
}

func (e *FindError) Error() string {
	return fmt.Sprintf("pool %s: its servers can't be found: %v", e.Pool, e.Err)
}

// Unwrap returns the reason.
func (e *FindError) Unwrap() error { return e.Err }

// find completes a pool. before is the one of that name that was used so far, nil if there is none.
func (p *Pool) find(ctx context.Context, before *SharedPool) error {
	switch {
	case before != nil && before.Discovery == p.Discovery:
	case before != nil && len(p.Settings) > 0 && slices.Equal(before.Settings, p.Settings):
		p.Discovery = before.Discovery
	case before != nil && before.Discovery != nil && before.Discovery.Source() == p.Discovery.Source():
		p.Discovery.Inherit(before.Discovery.Watch)
	default:
		if _, err := p.Discovery.Ask(ctx); err != nil {
			return err
		}
	}
	return p.complete()
}

// complete sets what follows from the list of servers.
func (p *Pool) complete() error {
	p.listed = nil
	for _, m := range p.Discovery.List() {
		p.listed = append(p.listed, m.Server)
	}
	found, err := p.Discovery.Servers(p.listed)
	if err != nil {
		return fmt.Errorf("those of %v make up no pool: %w", p.Discovery.Source(), err)
	}
	p.Upstreams, p.Layout, p.Agreement = found.Upstreams, found.Layout, found.Agreement
	p.Placing.List.Servers, p.Placing.List.Layout = p.listed, found.Layout
	return nil
}

// Exclude excludes the servers that are away, and admits those that are back.
func (s *Setup) Exclude() {
	for _, p := range s.Pools {
		if p.Discovery != nil {
			p.exclude()
		}
	}
}

func (p *SharedPool) exclude() {
	for _, m := range p.Discovery.List() {
		i := slices.Index(p.listed, m.Server)
		switch {
		case i < 0: // the setup is older than the list, and is about to be replaced
		case m.Away.IsZero():
			p.Remotes[i].Admit()
		default:
			p.Remotes[i].Exclude(fmt.Sprintf("is not listed by %v any more", p.Discovery.Source()))
		}
	}
}

// Outdated reports whether the list of servers of a pool has changed since the setup was made.
func (s *Setup) Outdated() bool {
	return slices.ContainsFunc(s.Pools, func(p *SharedPool) bool {
		return p.Migrating != nil && p.Migrating.Over() || p.Discovery != nil && !slices.EqualFunc(p.Discovery.List(), p.listed, func(m discovery.Member, server string) bool { return m.Server == server })
	})
}

// Watches returns what is asked for servers.
func (s *Setup) Watches() (list []*discovery.Watch) {
	for _, p := range s.Pools {
		if p.Discovery != nil {
			list = append(list, p.Discovery.Watch)
		}
	}
	return list
}
