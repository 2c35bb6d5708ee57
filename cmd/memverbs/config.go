package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/memverbs/memverbs/proxy"
	"github.com/memverbs/memverbs/proxy/embedded"
	"github.com/memverbs/memverbs/proxy/hosts"
	"github.com/memverbs/memverbs/sharding"
	"github.com/memverbs/memverbs/verbs"
)

// config converts the settings to the proxy's configuration. closeStore closes the
// embedded store, if there is one.
func (s *settings) config() (c proxy.Config, closeStore func(), err error) {
	p := s.pools[0]
	routed := slices.ContainsFunc(s.listeners, func(l listener) bool { return len(l.routes) > 1 || l.routes[0].prefix != "" })
	if len(s.pools) > 1 || routed {
		return c, nil, errors.New("several pools and routes are not served yet")
	}
	c = proxy.Config{
		Version:        version,
		Timeout:        p.timeout,
		ConnectTimeout: p.connectTimeout,
		Drain:          s.drain,
		Loops:          s.loops,
		MaxItemSize:    int(p.maxItemSize),
		MaxClients:     s.maxClients,
		BufferMemory:   int(s.bufferMemory),
		ReadCache:      int64(s.readCache),
		ReadCacheUsed:  s.limitMemory,
		VerbKeys:       p.verbKeys,
		Verbs: verbs.Options{
			CompactDirtiness:  p.compactDirtiness,
			StructureItemSize: int(p.structureItemSize),
			LogChunk:          p.logChunk.Milliseconds(),
			LogChunks:         int64(p.logChunks),
		},
	}
	for _, l := range s.listeners {
		c.Listen, c.SocketMode = append(c.Listen, l.address), l.mode
	}
	if s.embedded > 0 {
		return s.withEmbedded(c)
	}
	c.Upstreams, c.Layout = s.upstreams(p), p.built
	return c, func() {}, nil
}

// upstreams returns the servers of a pool.
func (s *settings) upstreams(p *pool) (list []proxy.Upstream) {
	for _, server := range p.servers {
		list = append(list, s.upstream(server.ServerAddr))
	}
	return list
}

func (s *settings) upstream(server sharding.ServerAddr) proxy.Upstream {
	u := proxy.Upstream{Name: server.Address, Network: server.Network, Address: server.Address}
	if server.Network == "unix" {
		u.Name = "unix:" + server.Address
	}
	if _, err := netip.ParseAddr(server.Host); server.Network == "tcp" && err != nil {
		host := hosts.New(server.Host, strconv.Itoa(server.Port), s.lookup)
		u.Dial, u.Ended, u.Check = host.Dial, host.Ended, host.Check
		return u
	}
	u.Dial = func(ctx context.Context) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, server.Network, server.Address)
	}
	return u
}

// withEmbedded adds the embedded store as the only upstream.
func (s *settings) withEmbedded(c proxy.Config) (proxy.Config, func(), error) {
	store, err := embedded.New(int(s.embedded), c.MaxItemSize)
	if err != nil {
		return c, nil, err
	}
	c.Upstreams = []proxy.Upstream{{
		Name: "embedded",
		Dial: func(context.Context) (net.Conn, error) { return store.Dial() },
	}}
	c.Layout, err = sharding.NewKetama([]sharding.Server{{Host: "embedded", Weight: 1}})
	return c, store.Close, err
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
	most := int64(limit.Cur) - int64(spareFiles+c.Loops*(len(c.Upstreams)*2+7))
	if int64(c.MaxClients) > most {
		log.Warn("--max-clients lowered: the system allows too few open files; raise its limit (ulimit -n)",
			"asked", c.MaxClients, "given", max(1, most), "open-files", limit.Cur)
		c.MaxClients = int(max(1, most))
	}
}
