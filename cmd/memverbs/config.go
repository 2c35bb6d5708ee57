package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/memverbs/memverbs/proxy"
	"github.com/memverbs/memverbs/proxy/embedded"
	"github.com/memverbs/memverbs/proxy/hosts"
	"github.com/memverbs/memverbs/sharding"
	"github.com/memverbs/memverbs/verbs"
)

// config converts the settings to the proxy's configuration. closeStore closes the
// embedded store, if there is one. log gets lines about files that change later.
func (s *settings) config(log *slog.Logger) (c proxy.Config, closeStore func(), err error) {
	c = proxy.Config{
		Version:       version,
		Drain:         s.drain,
		Loops:         s.loops,
		MaxClients:    s.maxClients,
		BufferMemory:  int(s.bufferMemory),
		ReadCache:     int64(s.readCache),
		ReadCacheUsed: s.limitMemory,
		Slow:          s.slow,
	}
	for _, p := range s.pools {
		c.Pools = append(c.Pools, s.pool(p))
		if p.secured != nil {
			p.secured.SetLog(log)
		}
	}
	for _, l := range s.listeners {
		c.Listeners = append(c.Listeners, l.config())
		if l.tls.built != nil {
			l.tls.built.SetLog(log)
		}
	}
	closeStore = func() {}
	if s.embedded > 0 {
		closeStore, err = s.addEmbedded(&c.Pools[0])
	}
	return c, closeStore, err
}

// pool converts the settings of a pool.
func (s *settings) pool(p *pool) proxy.Pool {
	c := proxy.Pool{
		Name:           p.name,
		Security:       fmt.Sprint(p.serverTLS),
		Fingerprint:    p.fingerprint(),
		Settings:       p.texts,
		Agreement:      p.agreement(),
		Upstreams:      s.upstreams(p),
		Layout:         p.built,
		Timeout:        p.timeout,
		ConnectTimeout: p.connectTimeout,
		MaxItemSize:    int(p.maxItemSize),
		Verbs: verbs.Options{
			CompactDirtiness:  p.compactDirtiness,
			StructureItemSize: int(p.structureItemSize),
			LogChunk:          p.logChunk.Milliseconds(),
			LogChunks:         int64(p.logChunks),
		},
		Guard: p.guard(),
		Login: p.login.login(),
	}
	p.outages.add(&c)
	return c
}

// fingerprint returns a text that is the same for pools with the same settings.
func (p *pool) fingerprint() string {
	return fmt.Sprintf("%s %s %v %v %v %v %v %v %v %+v %+v %s %+v", p.name, p.placing(),
		p.timeout, p.connectTimeout, p.maxItemSize, p.compactDirtiness, p.structureItemSize, p.logChunk, p.logChunks, p.guards, p.outages, p.login.digest(), p.serverTLS)
}

// config converts the settings of a listener.
func (l *listener) config() proxy.Listener {
	c := proxy.Listener{Address: l.address, Settings: l.texts, SocketMode: l.mode, ReusePort: l.reusePort, VerbKeys: l.verbKeys, MaxClients: l.maxClients, IdleTimeout: l.idleTimeout, Passwords: l.auth.users}
	if l.address.Network == "tcp" {
		c.TLS = l.tls.built
	}
	for _, r := range l.routes {
		c.Routes = append(c.Routes, proxy.Route{Prefix: r.prefix, Pool: r.pool, Strip: r.strip})
	}
	return c
}

// upstreams returns the servers of a pool.
func (s *settings) upstreams(p *pool) (list []proxy.Upstream) {
	for _, server := range p.servers {
		list = append(list, s.upstream(p, server.ServerAddr))
	}
	return list
}

// named returns the server of a pool that is given by a host name.
func (p *pool) named(u proxy.Upstream, name string, host *hosts.Host) proxy.Upstream {
	u.Resolve, u.Dial, u.Ended, u.Leads, u.Leave = host.Resolve, host.Dial, host.Ended, host.Address, host.Leave
	u.Check = func(ctx context.Context) error { return outsideOr(host.Check(ctx)) }
	u.Look = func(ctx context.Context) (*proxy.Upstream, error) {
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
func (s *settings) upstream(p *pool, server sharding.ServerAddr) proxy.Upstream {
	u := proxy.Upstream{Name: server.Address, Network: server.Network, Address: server.Address}
	if server.Network == "unix" {
		u.Name = "unix:" + server.Address
	}
	if server.Server.Name != "" {
		u.Name += " (" + server.Server.Name + ")"
	}
	if _, err := netip.ParseAddr(server.Host); server.Network == "tcp" && err != nil {
		return p.named(u, server.Host, hosts.New(server.Host, strconv.Itoa(server.Port), s.lookup))
	}
	u.Dial = func(ctx context.Context) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, server.Network, server.Address)
	}
	p.secureDial(&u, server.Host)
	return u
}

// addEmbedded adds the embedded store to a pool as its only upstream.
func (s *settings) addEmbedded(p *proxy.Pool) (closeStore func(), err error) {
	store, err := embedded.New(int(s.embedded), p.MaxItemSize)
	if err != nil {
		return nil, err
	}
	p.Upstreams = []proxy.Upstream{{
		Name: "embedded",
		Dial: func(context.Context) (net.Conn, error) { return store.Dial() },
	}}
	p.Layout, err = sharding.NewKetama([]sharding.Server{{Host: "embedded", Weight: 1}})
	return store.Close, err
}

// spareFiles is how many descriptors are needed besides those of clients and upstreams:
// for listeners, epoll, and connections that are being refused.
const spareFiles = 64

// limitClients lowers MaxClients to what the system's limit of open files allows, so
// that the proxy does not run out of descriptors.
func limitClients(c *proxy.Config, log *slog.Logger) {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return
	}
	upstreams := 0
	for _, p := range c.Pools {
		upstreams += len(p.Upstreams)
	}
	most := int64(limit.Cur) - int64(spareFiles+c.Loops*(upstreams*2+7))
	if int64(c.MaxClients) > most {
		log.Warn("--max-clients lowered: the system allows too few open files; raise its limit (ulimit -n)",
			"asked", c.MaxClients, "given", max(1, most), "open-files", limit.Cur)
		c.MaxClients = int(max(1, most))
	}
}
