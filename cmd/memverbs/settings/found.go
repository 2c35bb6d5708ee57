package settings

import (
	"context"
	"fmt"
	"net"
	"strings"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/discovery"
	"github.com/memverbs/memverbs/proxy/placement"
	"github.com/memverbs/memverbs/sharding"
)

// IsFound reports whether the servers of the pool are not listed in the settings, but found. The settings must have been
// checked.
func (p *Pool) IsFound() bool {
	source, _ := p.source()
	return source != discovery.Source{}
}

// discovery returns how the servers of the pool are found; nil if they are listed.
func (s *All) discovery(p *Pool) *config.Discovery {
	if !p.IsFound() {
		return nil
	}
	return &config.Discovery{
		Watch:   discovery.NewWatch(p.Servers[0].Source, p.asker(), discovery.Times{Every: p.discoverEvery, Leave: p.leaveAfter}),
		Servers: s.rebuild(p),
	}
}

// rebuild returns what tells what a list of servers means for a pool.
func (s *All) rebuild(p *Pool) func(list []string) (config.Found, error) {
	return func(list []string) (found config.Found, err error) {
		q, err := p.withServers(list)
		if err != nil {
			return found, err
		}
		return config.Found{Upstreams: unchecked(s.upstreams(q)), Layout: q.built, Agreement: q.agreement(), Direct: q.Direct}, nil
	}
}

// placingOf returns how keys are found while the servers of a pool change.
func (s *All) placingOf(p *Pool) config.Places {
	c := config.Places{Settle: p.settle, Unconfirmed: p.unconfirmed == serve, List: placement.List{Rule: p.rule(), Layout: p.built}}
	if !p.IsFound() {
		for _, s := range p.Servers {
			c.List.Servers = append(c.List.Servers, s.Text)
		}
	}
	c.Rebuild, c.Moves, c.WarmFrom = s.rebuild(p), p.move == copyOver, p.warmFrom
	c.LayoutOf = func(list placement.List) sharding.Layout {
		if list.Rule != c.List.Rule {
			return nil
		}
		q, err := p.withServers(list.Servers)
		if err != nil {
			return nil
		}
		return q.built
	}
	return c
}

// unchecked returns servers without the check at the start, since the list changes later too: one that can't be used is down.
func unchecked(list []config.Upstream) []config.Upstream {
	for i := range list {
		list[i].Check = nil
	}
	return list
}

// withServers returns the pool with servers that were found.
func (p *Pool) withServers(list []string) (*Pool, error) {
	q := *p
	q.Servers = nil
	for _, text := range list {
		server, err := Memcached().Read(text)
		if err != nil {
			return nil, err
		}
		q.Servers = append(q.Servers, server)
	}
	var err error
	q.built, err = q.Build()
	return &q, err
}

// asker returns what asks for the servers of the pool. The endpoint of a cluster is one of its servers, so it is reached as
// they are.
func (p *Pool) asker() discovery.Asker {
	return p.Servers[0].Source.Asker(discovery.Means{
		Resolver: discovery.NewResolver(p.resolver),
		Dial: func(ctx context.Context, host, address string) (net.Conn, error) {
			dial := func(ctx context.Context) (net.Conn, error) {
				var d net.Dialer
				return d.DialContext(ctx, "tcp", address)
			}
			return p.Login.after(streaming(p.Secured, host, dial))(ctx)
		},
	})
}

// Find asks for the servers of the pool, if they are not listed, and uses them from now on.
func (p *Pool) Find(ctx context.Context) error {
	if !p.IsFound() {
		return nil
	}
	source := p.Servers[0].Source
	answer, err := p.asker().Ask(ctx)
	if err != nil {
		return fmt.Errorf("%v: %w", source, err)
	}
	q, err := p.withServers(answer.Servers)
	if err != nil {
		return fmt.Errorf("%v: its servers make up no pool: %w", source, err)
	}
	*p = *q
	return nil
}

// FoundNow asks for the servers of all pools that do not list them. It returns a line for each such pool that tells its
// servers, and a warning for each whose servers can't be found now.
func (s *All) FoundNow(ctx context.Context) (lines string, warnings []Warning) {
	var b strings.Builder
	for _, p := range s.Pools {
		if !p.IsFound() {
			continue
		}
		q := *p
		if err := q.Find(ctx); err != nil {
			warnings = append(warnings, Warning{"pool " + p.name, "its servers can't be found now: " + err.Error()})
			continue
		}
		fmt.Fprintf(&b, "pool %s: %s now: %s\n", p.name, plural(len(q.Servers), "server"), strings.Join(q.addresses(), " "))
	}
	return b.String(), warnings
}
