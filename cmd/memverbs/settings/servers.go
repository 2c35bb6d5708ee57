package settings

import (
	"context"
	"net"
	"net/netip"
	"strconv"

	"github.com/memverbs/memverbs/cmd/memverbs/hosts"
	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/discovery"
	"github.com/memverbs/memverbs/sharding"
)

// upstreams returns the servers of a pool.
func (s *All) upstreams(p *Pool) (list []config.Upstream) {
	for _, server := range p.Servers {
		list = append(list, s.upstream(p, server.ServerAddr))
	}
	return list
}

// named returns the server of a pool that is given by a host name.
func (p *Pool) named(u config.Upstream, name string, host *hosts.Host) config.Upstream {
	u.Resolve, u.Dial, u.Ended, u.Leads, u.Leave = host.Resolve, host.Dial, host.Ended, host.Address, host.Leave
	u.Check = func(ctx context.Context) error { return setting.OutsideOr(host.Check(ctx)) }
	u.Look = func(ctx context.Context) (*config.Upstream, error) {
		other, err := host.Look(ctx)
		if other == nil || err != nil {
			return nil, err
		}
		next := p.named(u, name, other)
		return &next, nil
	}
	p.secureDial(&u, name)
	return u
}

// upstream returns a server of p.
func (s *All) upstream(p *Pool, server sharding.ServerAddr) config.Upstream {
	u := config.Upstream{Name: server.Address, Network: server.Network, Address: server.Address}
	if server.Network == "unix" {
		u.Name = "unix:" + server.Address
	}
	if server.Server.Name != "" {
		u.Name += " (" + server.Server.Name + ")"
	}
	if _, err := netip.ParseAddr(server.Host); server.Network == "tcp" && err != nil {
		return p.named(u, server.Host, hosts.New(server.Host, strconv.Itoa(server.Port), p.lookup(s.Lookup)))
	}
	u.Dial = func(ctx context.Context) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, server.Network, server.Address)
	}
	p.secureDial(&u, server.Host)
	return u
}

// secureDial makes the connections to an upstream speak TLS. host is the name that its certificate
// must have, unless the settings have another one.
func (p *Pool) secureDial(u *config.Upstream, host string) {
	if p.Secured == nil {
		return
	}
	ended := u.Ended
	u.Dial = followed(u.Dial, func(ctx context.Context, conn net.Conn) (net.Conn, error) {
		session, err := p.Secured.Shake(ctx, conn, host)
		if err != nil {
			if ended != nil {
				ended()
			}
			return nil, err
		}
		return session, nil
	})
}

// dialer connects to a server. Its connections have the deadline of the context.
type dialer = func(context.Context) (net.Conn, error)

// followed returns dial followed by a step that each connection needs before it can be used.
func followed(dial dialer, step func(context.Context, net.Conn) (net.Conn, error)) dialer {
	return func(ctx context.Context) (net.Conn, error) {
		conn, err := dial(ctx)
		if err != nil {
			return nil, err
		}
		return step(ctx, conn)
	}
}

// lookup returns what looks up the names of the pool's servers: the name server of the setting resolver, if there is one, as
// it may be the only one that knows them.
func (p *Pool) lookup(otherwise hosts.Lookup) hosts.Lookup {
	if p.resolver == "" || otherwise == nil {
		return otherwise
	}
	return discovery.NewResolver(p.resolver).LookupHost
}
