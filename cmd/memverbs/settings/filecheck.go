package settings

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/cmd/memverbs/smallfile"
	"github.com/memverbs/memverbs/cmd/memverbs/yamlfile"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/listen"
)

// check refuses settings that do not fit together. It leaves out what depends on values that were
// refused when they were read.
func (f *file) check() error {
	if len(f.pools) == 0 {
		if f.Lacks("pools") {
			return f.root.Errorf("there are no pools: add \"pools:\" with a pool that has servers and listen")
		}
		return nil
	}
	routed := make(map[string]bool)
	var errs []error
	for _, l := range f.listeners {
		errs = append(errs, l.check(f.names(), routed))
	}
	unsure := errors.Join(errs...) != nil || f.Unknown != nil || f.Refused("listeners") // which pool a route should name
	errs = append(errs, f.checkCopies(), f.checkShadows())
	for _, p := range f.pools {
		errs = append(errs, f.checkSpare(p), f.checkWarmFrom(p))
		routed[p.onDown.spare], routed[p.warmFrom] = true, true
		unsure = unsure || p.Refused("on-down")
	}
	for _, p := range f.pools {
		errs = append(errs, p.check(unsure || routed[p.name]))
	}
	errs = append(errs, f.checkAddresses())
	return errors.Join(errs...)
}

// names returns the names of the pools.
func (f *file) names() (names []string) {
	for _, p := range f.pools {
		names = append(names, p.name)
	}
	return names
}

// check adds the pools that the routes lead to to routed.
func (l *fileListener) check(pools []string, routed map[string]bool) error {
	var errs []error
	for _, key := range []string{"listen", "routes"} {
		if l.Lacks(key) {
			errs = append(errs, l.at.Errorf("this listener has no %s: add %q", key, key+":"))
		}
	}
	if !slices.ContainsFunc(l.routes, func(r config.Route) bool { return r.Prefix == "" }) && l.routes != nil {
		errs = append(errs, l.Given["routes"].Errorf("routes: no pool for the keys without any of these prefixes: add one for the prefix \"\""))
	}
	for i, r := range l.routes {
		at := append([]yamlfile.Node{l.ways[i].target}, l.ways[i].copies[min(1, len(r.Copies)):]...)
		for n, name := range r.Pools() {
			routed[name] = true
			if !slices.Contains(pools, name) && name != "" {
				errs = append(errs, at[n].Errorf("there is no pool %q%s", name, hintOfPool(r.Prefix, name, pools)))
			}
		}
		if routed[r.Shadow] = true; !slices.Contains(pools, r.Shadow) && r.Shadow != "" {
			errs = append(errs, l.ways[i].shadow.Errorf("there is no pool %q%s", r.Shadow, setting.Suggest(r.Shadow, pools)))
		}
	}
	if errs = append(errs, l.Place(l.at, l.tls.build())); l.tls.built != nil && !hasTCP(l.addresses) {
		errs = append(errs, l.Given["tls-cert"].Errorf("tls-cert: %s", onlyUnix))
	}
	return errors.Join(errs...)
}

// hintOfPool returns the end of the error that there is no pool of that name. Within {} a prefix without
// quotes ends at its first colon.
func hintOfPool(of, name string, pools []string) string {
	text := of + ":" + name
	colon := strings.LastIndexByte(text, ':')
	prefix, pool := text[:colon], strings.TrimSpace(text[colon+1:])
	if prefix != of && slices.Contains(pools, pool) {
		return fmt.Sprintf("; a prefix with a colon needs quotes: %q: %s", prefix, pool)
	}
	return setting.Suggest(name, pools)
}

// checkSpare refuses a spare pool that does not exist, or that can't be a spare pool.
func (f *file) checkSpare(p *filePool) error {
	name := p.onDown.spare
	if name == "" {
		return nil
	}
	at, spare := p.Given["on-down"], f.named(name)
	switch {
	case spare == nil:
		return at.Errorf("on-down: there is no pool %q%s", name, setting.Suggest(name, f.names()))
	case spare == p:
		return at.Errorf("on-down: pool %s can't be its own spare", name)
	case spare.onDown.spare != "":
		return at.Errorf("on-down: pool %s can't be a spare, as it has one itself", name)
	case spare.move == copyOver, spare.warmFrom != "":
		return at.Errorf("on-down: pool %s can't be a spare with move: copy or warm-from, as nobody asks both servers of a key for a spare; use move: miss there", name)
	}
	return nil
}

// checkWarmFrom refuses a pool that does not exist, or whose items can't be moved to another one.
func (f *file) checkWarmFrom(p *filePool) error {
	if p.warmFrom == "" {
		return nil
	}
	at, other := p.Given["warm-from"], f.named(p.warmFrom)
	switch {
	case other == nil:
		return at.Errorf("warm-from: there is no pool %q%s", p.warmFrom, setting.Suggest(p.warmFrom, f.names()))
	case other == p:
		return at.Errorf("warm-from: pool %s can't be warmed from itself; if its servers change, move: copy moves their items", p.name)
	case other.user != "" && other.Login != p.Login: // servers that ask for none take one
		return at.Errorf("warm-from: pools %s and %s need the same user and password-file", p.name, other.name)
	case len(other.namespaces) > 0:
		return at.Errorf("warm-from: pool %s has namespaces, whose keys each server stores in a form of its own", other.name)
	}
	return nil
}

// check builds the layout of the pool.
func (p *filePool) check(routed bool) error {
	var errs []error
	refuse := func(at yamlfile.Node, what string, err error, unless ...string) {
		if err != nil && !p.Refused(unless...) {
			errs = append(errs, at.Errorf("%s: %v", what, err))
		}
	}
	if p.Lacks("servers") {
		errs = append(errs, p.at.Errorf("pool %s has no servers: add \"servers:\" with a list of memcacheds", p.name))
	}
	if p.Servers != nil && !p.Refused("servers", "layout", "hash-tag", "unhashed-prefix") {
		var err error
		p.built, err = p.Build()
		refuse(p.Given["servers"], "servers", err)
	}
	pool := "pool " + p.name
	refuse(p.Given["verbs"], "verbs", p.guards.check(), "verbs")
	refuse(p.Given["namespaces"], "namespaces", p.families.check(p.readOnly), "namespaces", "read-only")
	refuse(p.Given["move"], "move", p.checkMove(p.readOnly), "move", "read-only")
	refuse(p.at, pool, p.checkLog(), "log-chunk", "log-chunks")
	if p.Lacks("listen") && !routed {
		errs = append(errs, p.at.Errorf("nobody can reach pool %s: add \"listen:\" to it, or name it in the routes of a listener", p.name))
	}
	refuse(p.at, pool, p.Login.Check(), "user", "password-file")
	if errs = append(errs, p.Place(p.at, p.tls.build()), p.Place(p.at, p.BuildTLS())); p.tls.built != nil && !hasTCP(p.addresses) {
		errs = append(errs, p.Given["tls-cert"].Errorf("tls-cert: %s", onlyUnix))
	}
	return errors.Join(errs...)
}

// checkAddresses refuses addresses that are given twice, including that of the admin server.
func (f *file) checkAddresses() error {
	var errs []error
	var taken []listen.Address
	var nodes []yamlfile.Node
	take := func(a listen.Address, at yamlfile.Node) {
		if i := Collision(a, taken); i >= 0 {
			errs = append(errs, at.Errorf("%s can't be listened on twice: %s is at %s; remove one", smallfile.Name(a.String()), smallfile.Name(taken[i].String()), nodes[i].At()))
		}
		taken, nodes = append(taken, a), append(nodes, at)
	}
	takeAll := func(addresses []listen.Address, s *setting.Section) {
		if addresses == nil || s.Refused("listen") {
			return
		}
		elements, _ := s.Given["listen"].List()
		for i, a := range addresses {
			take(a, elements[i])
		}
	}
	for _, p := range f.pools {
		takeAll(p.addresses, p.Section)
	}
	for _, l := range f.listeners {
		takeAll(l.addresses, l.Section)
	}
	if f.Admin != "" {
		take(f.AdminAddress(), f.Given["admin"])
	}
	return errors.Join(errs...)
}
