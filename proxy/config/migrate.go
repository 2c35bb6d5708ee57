package config

import (
	"context"
	"slices"
	"time"

	"github.com/memverbs/memverbs/proxy/migration"
	"github.com/memverbs/memverbs/proxy/placement"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// inquiry is how long a proxy that starts waits for what the servers say of the lists that others use.
const inquiry = 500 * time.Millisecond

// migrates decides which servers a pool whose keys move uses now. wanted is the list that it is to have. While keys are moving, it keeps
// those that it has.
func (p *Pool) migrates(ctx context.Context, before *SharedPool) error {
	if p.migrating = nil; !p.Placing.Moves && p.Placing.WarmFrom == "" {
		return nil
	}
	wanted := p.Placing.List
	if p.Discovery == nil {
		wanted.Servers = p.asked()
	}
	if p.wanted = wanted.Servers; len(wanted.Servers) == 0 { // the embedded store
		return nil
	}
	switch {
	case before == nil:
		return p.joins(ctx, wanted)
	case !p.Placing.Moves && !before.Migrating.underWay(), before.Placing.List.Layout == nil || len(before.Placing.List.Servers) == 0:
		return p.use(wanted)
	}
	m, under := before.Migrating, before.Migrating.underWay()
	switch now := before.Placing.List; {
	case slices.Equal(now.Servers, wanted.Servers) && now.Rule == wanted.Rule:
		if under {
			p.migrating = m
		}
		return p.use(wanted)
	case under && now.Rule != wanted.Rule: // the list before can't be used with the settings of now
		return p.use(wanted)
	case !under:
		if err := p.use(wanted); err != nil {
			return err
		}
		return p.begin(migration.New(now, p.Placing.List, p.Placing.Settle, time.Now()), true, p.Placing.Rebuild)
	default:
		m.Leave()
		p.migrating = m
		return p.use(now)
	}
}

// asked returns the servers that the settings list.
func (p *Pool) asked() []string {
	if p.wanted != nil {
		return p.wanted
	}
	return p.Placing.List.Servers
}

// use has the pool use a list of servers.
func (p *Pool) use(list placement.List) error {
	found, err := p.Placing.Rebuild(list.Servers)
	if err != nil {
		return err
	}
	p.listed = list.Servers
	p.Upstreams, p.Layout, p.Agreement = found.Upstreams, found.Layout, found.Agreement
	p.Placing.List = placement.List{Rule: list.Rule, Servers: list.Servers, Layout: found.Layout}
	return nil
}

// joins is migrates for a process that starts: it asks the servers what others do.
func (p *Pool) joins(ctx context.Context, wanted placement.List) error {
	if err := p.use(wanted); err != nil || p.Placing.Settle == 0 || !p.Placing.Moves {
		return err
	}
	servers, err := p.reach()
	if err != nil {
		return err
	}
	f := migration.Inquire(ctx, p.Name, servers, inquiry)
	switch {
	case len(f.To.Servers) > 0 && !f.IsOver(p.Placing.Settle):
		if f.From.Layout = p.Placing.LayoutOf(f.From); f.From.Layout == nil || p.use(f.To) != nil {
			return p.use(wanted)
		}
		m := migration.New(f.From, p.Placing.List, p.Placing.Settle, f.Began)
		m.Join(f.Ended)
		if !slices.Equal(f.To.Servers, wanted.Servers) {
			m.Leave()
		}
		return p.begin(m, false, p.Placing.Rebuild)
	case len(f.Last.Servers) > 0 && (!slices.Equal(f.Last.Servers, wanted.Servers) || f.Last.Rule != wanted.Rule):
		if f.Last.Layout = p.Placing.LayoutOf(f.Last); f.Last.Layout != nil {
			return p.begin(migration.New(f.Last, p.Placing.List, p.Placing.Settle, time.Now()), true, p.Placing.Rebuild)
		}
	}
	return nil
}

// warms has the items of another pool, from, move to the pool, if that is not done already, and no keys of the pool itself move.
func (p *Pool) warms(ctx context.Context, from *Pool, before *SharedPool) error {
	if p.migrating != nil || before != nil && before.Placing.WarmFrom == from.Name {
		return nil
	}
	found, err := from.Placing.Rebuild(from.Placing.List.Servers)
	if err != nil {
		return err
	}
	list, began, ended, fresh := from.Placing.List, time.Now(), time.Time{}, true
	list.Layout = found.Layout
	servers, err := p.reach()
	if err != nil {
		return err
	}
	if f := migration.Inquire(ctx, p.Name, servers, inquiry); f.Is(list, p.Placing.List) {
		if f.IsOver(p.Placing.Settle) {
			return nil
		}
		began, ended, fresh = f.Began, f.Ended, false
	}
	m := migration.New(list, p.Placing.List, p.Placing.Settle, began)
	m.Join(ended)
	return p.begin(m, fresh, from.Placing.Rebuild)
}

// reach returns how the servers of the pool are asked.
func (p *Pool) reach() (servers []migration.Server, err error) {
	found, err := p.Placing.Rebuild(p.Placing.List.Servers)
	if err != nil {
		return nil, err
	}
	for i, dial := range found.Direct() {
		servers = append(servers, migration.Server{Name: found.Upstreams[i].Name, Dial: dial})
	}
	return servers, nil
}

// begin begins a migration to the servers that the pool uses, or joins one. rebuild returns what the list before means.
func (p *Pool) begin(m *migration.Migration, fresh bool, rebuild func([]string) (Found, error)) error {
	g := &Migrating{Migration: m, Fresh: fresh}
	found, err := rebuild(m.From.Servers)
	if err != nil {
		return err
	}
	if g.Servers, err = p.reach(); err != nil {
		return err
	}
	to, err := p.Placing.Rebuild(m.To.Servers)
	if err != nil {
		return err
	}
	var at []int
	for _, u := range found.Upstreams {
		at = append(at, slices.IndexFunc(to.Upstreams, func(other Upstream) bool { return other.server() == u.server() }))
	}
	m.Match(at)
	direct := found.Direct()
	for i, u := range found.Upstreams {
		if m.HasLeft(i) {
			g.upstreams = append(g.upstreams, u)
			g.Servers = append(g.Servers, migration.Server{Name: u.Name, Dial: direct[i]})
		}
	}
	p.migrating = g
	return nil
}

// with returns the migration as that of a pool. before is the one of that name that was used so far, nil if there is none.
func (g *Migrating) with(p, before *SharedPool, loops int) *Migrating {
	if g == nil {
		return nil
	}
	next := *g
	next.Leaving = nil
	for i, u := range g.upstreams {
		switch n := before.keeps(p, u); {
		case before != nil && before.Migrating.of() == g.Migration && before.ConnectsLike(p):
			next.Leaving = append(next.Leaving, before.Migrating.Leaving[i])
		case n >= 0:
			next.Leaving = append(next.Leaving, before.Remotes[n])
		default:
			next.Leaving = append(next.Leaving, p.newRemote(u, loops))
		}
	}
	return &next
}

// Sources returns the servers that had the keys of a pool, in the order of the indexes of the list before.
func (g *Migrating) Sources(p *SharedPool) (from []*upstream.Remote) {
	leaving := g.Leaving
	for i := range g.From.Servers {
		if g.HasLeft(i) {
			from, leaving = append(from, leaving[0]), leaving[1:]
			continue
		}
		from = append(from, p.Remotes[g.At(i)])
	}
	return from
}
