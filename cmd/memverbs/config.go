package main

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/netip"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/memverbs/memverbs/proxy"
	"github.com/memverbs/memverbs/proxy/embedded"
	"github.com/memverbs/memverbs/proxy/hosts"
	"github.com/memverbs/memverbs/proxy/listen"
	"github.com/memverbs/memverbs/sharding"
	"github.com/memverbs/memverbs/verbs"
)

// mainPool is the name of the only pool that flags define.
const mainPool = "main"

// config converts the flags to the proxy's configuration. closeStore closes the
// embedded store, if there is one.
func (o *options) config() (c proxy.Config, closeStore func(), err error) {
	c = proxy.Config{
		Version:       version,
		Drain:         o.drain,
		Loops:         o.loops,
		MaxClients:    o.maxClients,
		BufferMemory:  int(o.bufferMemory),
		ReadCache:     int64(o.readCache),
		ReadCacheUsed: o.limitMemory,
		Slow:          o.slow,
	}
	for _, text := range o.listen {
		a, err := listen.Parse(text)
		if err != nil {
			return c, nil, fmt.Errorf("--listen: %w", err)
		}
		c.Listeners = append(c.Listeners, proxy.Listener{
			Address:    a,
			SocketMode: fs.FileMode(o.socketMode),
			Routes:     []proxy.Route{{Pool: mainPool}},
			VerbKeys:   o.verbKeys,
		})
	}
	p := proxy.Pool{
		Name:           mainPool,
		Timeout:        o.timeout,
		ConnectTimeout: o.connectTimeout,
		MaxItemSize:    int(o.maxItemSize),
		Agreement:      o.fingerprint(),
		Verbs: verbs.Options{
			CompactDirtiness:  o.compactDirtiness,
			StructureItemSize: int(o.structureItemSize),
			LogChunk:          o.logChunk.Milliseconds(),
			LogChunks:         int64(o.logChunks),
		},
	}
	closeStore = func() {}
	if o.embedded() {
		closeStore, err = o.addEmbedded(&p)
	} else {
		err = o.addServers(&p)
	}
	c.Pools = []proxy.Pool{p}
	return c, closeStore, err
}

// addServers adds the upstreams in the flags to p.
func (o *options) addServers(p *proxy.Pool) error {
	servers, layout, err := o.build()
	for _, s := range servers {
		p.Upstreams = append(p.Upstreams, o.upstream(s))
	}
	p.Layout = layout
	return err
}

func (o *options) upstream(s sharding.ServerAddr) proxy.Upstream {
	u := proxy.Upstream{Name: s.Address, Network: s.Network, Address: s.Address}
	if s.Network == "unix" {
		u.Name = "unix:" + s.Address
	}
	if _, err := netip.ParseAddr(s.Host); s.Network == "tcp" && err != nil {
		host := hosts.New(s.Host, strconv.Itoa(s.Port), o.lookup)
		u.Dial, u.Ended, u.Check = host.Dial, host.Ended, host.Check
		return u
	}
	u.Dial = func(ctx context.Context) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, s.Network, s.Address)
	}
	return u
}

// addEmbedded adds the embedded store to p as its only upstream.
func (o *options) addEmbedded(p *proxy.Pool) (closeStore func(), err error) {
	store, err := embedded.New(int(o.embeddedMemory), int(o.maxItemSize))
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
