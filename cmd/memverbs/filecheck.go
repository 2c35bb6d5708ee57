package main

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"

	"github.com/memverbs/memverbs/cmd/memverbs/yamlfile"
	"github.com/memverbs/memverbs/proxy/listen"
)

// check refuses settings that do not fit together, and collects the listeners.
func (f *file) check() error {
	if len(f.pools) == 0 {
		return f.root.Errorf("there are no pools: add \"pools:\" with a pool that has servers and listen")
	}
	routed := make(map[string]bool)
	var errs []error
	for _, l := range f.listeners {
		errs = append(errs, l.check(f.names(), routed))
	}
	unsure := errors.Join(errs...) != nil // which pool a route should name
	for _, p := range f.pools {
		errs = append(errs, p.checkSpare(f.pools))
		routed[p.onDown.spare] = true
	}
	for _, p := range f.pools {
		errs = append(errs, p.check(unsure || routed[p.name]))
	}
	errs = append(errs, f.listen())
	f.warnOfLayouts()
	f.warnOfExpiry()
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
		if _, given := l.given[key]; !given {
			errs = append(errs, l.at.Errorf("this listener has no %s: add %q", key, key+":"))
		}
	}
	if !slices.ContainsFunc(l.routes, func(r route) bool { return r.prefix == "" }) && l.routes != nil {
		errs = append(errs, l.given["routes"].Errorf("routes: no pool for the keys without any of these prefixes: add one for the prefix \"\""))
	}
	for i, r := range l.routes {
		routed[r.pool] = true
		if !slices.Contains(pools, r.pool) {
			errs = append(errs, l.targets[i].Errorf("there is no pool %q%s", r.pool, suggest(r.pool, pools)))
		}
	}
	if errs = append(errs, l.checkTLS(l.at, l.tls.build())); l.tls.built != nil && !hasTCP(l.addresses) {
		errs = append(errs, l.given["tls-cert"].Errorf("tls-cert: %s", onlyUnix))
	}
	return errors.Join(errs...)
}

// checkSpare refuses a spare pool that there is not, or that can't be one.
func (p *filePool) checkSpare(pools []*filePool) error {
	spare := p.onDown.spare
	if spare == "" {
		return nil
	}
	at, names := p.given["on-down"], []string(nil)
	for _, other := range pools {
		switch {
		case other.name != spare:
			names = append(names, other.name)
		case other == p:
			return at.Errorf("on-down: pool %s can't be its own spare", spare)
		case other.onDown.spare != "":
			return at.Errorf("on-down: pool %s can't be a spare, as it has one itself", spare)
		default:
			return nil
		}
	}
	return at.Errorf("on-down: there is no pool %q%s", spare, suggest(spare, names))
}

// check builds the layout of the pool.
func (p *filePool) check(routed bool) (err error) {
	if p.servers == nil {
		return p.at.Errorf("pool %s has no servers: add \"servers:\" with a list of memcacheds", p.name)
	}
	if p.built, err = p.build(); err != nil {
		return p.given["servers"].Errorf("servers: %v", err)
	}
	if err = p.guards.check(); err != nil {
		return p.given["verbs"].Errorf("verbs: %v", err)
	}
	if err = errors.Join(p.checkTLS(p.at, p.tls.build()), p.checkTLS(p.at, p.buildTLS())); err != nil {
		return err
	}
	if p.tls.built != nil && !hasTCP(p.addresses) {
		return p.given["tls-cert"].Errorf("tls-cert: %s", onlyUnix)
	}
	if p.addresses == nil && !routed {
		return p.at.Errorf("nobody can reach pool %s: add \"listen:\" to it, or name it in the routes of a listener", p.name)
	}
	return nil
}

// listen collects the listeners. It refuses addresses that are there twice.
func (f *file) listen() error {
	var errs []error
	var nodes []yamlfile.Node
	add := func(from listening, s *section, routes []route) {
		if from.addresses == nil {
			return
		}
		elements, _ := s.given["listen"].List()
		for i, a := range from.addresses {
			for j, other := range f.settings.listeners {
				if collide(a, other.address) {
					errs = append(errs, elements[i].Errorf("%v can't be listened on twice: %v is at %s; remove one", a, other.address, nodes[j].At()))
					break
				}
			}
			f.settings.listeners = append(f.settings.listeners, listener{a, from, routes})
			nodes = append(nodes, elements[i])
		}
	}
	for _, p := range f.pools {
		add(p.listening, p.section, []route{{pool: p.name}})
	}
	for _, l := range f.listeners {
		add(l.listening, l.section, l.routes)
	}
	return errors.Join(errs...)
}

// collide reports whether the system would refuse to listen at both addresses. It does not
// look up host names.
func collide(a, b listen.Address) bool {
	if a.Network != b.Network {
		return false
	}
	if a.Network == "unix" {
		return a.Address == b.Address
	}
	hostA, portA, _ := net.SplitHostPort(a.Address)
	hostB, portB, _ := net.SplitHostPort(b.Address)
	if portA != portB || portA == "0" {
		return false
	}
	return hostA == hostB || covers(hostA, hostB) || covers(hostB, hostA)
}

// covers reports whether host stands for all addresses of the machine, other included.
func covers(host, other string) bool {
	if host == "" || host == "::" {
		return true
	}
	ip, err := netip.ParseAddr(other)
	return host == "0.0.0.0" && (err != nil || ip.Is4())
}

// warnOfLayouts warns of pools with the same servers that place keys differently.
func (f *file) warnOfLayouts() {
	first := make(map[string]*filePool)
	for _, p := range f.pools {
		var addresses []string
		for _, s := range p.servers {
			addresses = append(addresses, s.Address)
		}
		slices.Sort(addresses)
		same := strings.Join(addresses, "\n")
		other, ok := first[same]
		if !ok {
			first[same] = p
		} else if p.placing() != other.placing() {
			f.warn(p.at, "pools %s and %s have the same servers but place keys differently: what is stored through one is not found through the other", other.name, p.name)
		}
	}
}

// placing returns a text that is the same for pools that place keys alike.
func (p *placement) placing() string {
	var servers []string
	for _, s := range p.servers {
		servers = append(servers, s.text)
	}
	return fmt.Sprintf("%q %q %q %q", p.layout, p.hashTag, p.prefixes, servers)
}

func (f *file) warn(at yamlfile.Node, format string, args ...any) {
	f.warnings = append(f.warnings, warning{at.At(), fmt.Sprintf(format, args...)})
}

// warning is about something in a file that is allowed, but hardly meant.
type warning struct{ at, text string }

func (w warning) String() string { return w.at + ": warning: " + w.text }
