package settings

import (
	"context"
	"fmt"
	"log/slog"
	"net"

	"github.com/memverbs/memverbs/cmd/memverbs/embedded"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/sharding"
	"github.com/memverbs/memverbs/verbs"
)

// Config converts the settings to the proxy's configuration. closeStore closes the
// embedded store, if there is one. log gets lines about files that change later. The caller sets what is not
// a setting, such as the sockets.
func (s *All) Config(log *slog.Logger) (c config.Config, closeStore func(), err error) {
	c = config.Config{
		Drain:        s.Drain,
		Loops:        s.Loops,
		MaxClients:   s.maxClients,
		BufferMemory: int(s.BufferMemory),
		ReadCache:    int64(s.ReadCache),
		Slow:         s.slow,
	}
	for _, p := range s.Pools {
		c.Pools = append(c.Pools, s.pool(p))
	}
	for _, l := range s.Listeners {
		c.Listeners = append(c.Listeners, l.config())
	}
	for _, w := range s.watched() {
		w.SetLog(log)
	}
	closeStore = func() {}
	if s.Embedded > 0 {
		closeStore, err = s.addEmbedded(&c.Pools[0])
	}
	return c, closeStore, err
}

// pool converts the settings of a pool.
func (s *All) pool(p *Pool) config.Pool {
	c := config.Pool{
		Name:           p.name,
		Settings:       p.Texts,
		Agreement:      p.agreement(),
		Layout:         p.built,
		Placing:        s.placingOf(p),
		Timeout:        p.timeout,
		ConnectTimeout: p.ConnectTimeout,
		MaxItemSize:    int(p.maxItemSize),
		Verbs: verbs.Options{
			CompactDirtiness:  p.compactDirtiness,
			StructureItemSize: int(p.structureItemSize),
			LogChunk:          p.logChunk.Milliseconds(),
			LogChunks:         int64(p.logChunks),
		},
		Guard: p.guard(),
		Login: p.Login.login(),
	}
	if c.Discovery = s.discovery(p); c.Discovery == nil {
		c.Upstreams = s.upstreams(p)
	}
	p.outages.add(&c)
	p.answers.add(&c)
	c.Namespaces = p.namespaces
	return c
}

// config converts the settings of a listener.
func (l *listener) config() config.Listener {
	c := config.Listener{Address: l.Address, Settings: l.texts, SocketMode: l.mode, ReusePort: l.reusePort, VerbKeys: l.verbKeys, MaxClients: l.maxClients, IdleTimeout: l.idleTimeout, Passwords: l.auth.content, Routes: l.routes}
	if l.Address.Network == "tcp" {
		c.TLS = l.tls.built
	}
	return c
}

// addEmbedded adds the embedded store to a pool as its only upstream.
func (s *All) addEmbedded(p *config.Pool) (closeStore func(), err error) {
	store, err := embedded.New(int(s.Embedded), p.MaxItemSize)
	if err != nil {
		return nil, err
	}
	p.Upstreams = []config.Upstream{{
		Name: "embedded",
		Dial: func(context.Context) (net.Conn, error) { return store.Dial() },
	}}
	p.Layout, err = sharding.ByName(sharding.Default, []sharding.Server{{Host: "embedded", Weight: 1}})
	return store.Close, err
}

// agreementSize is the length of an agreement, in hexadecimal digits: enough to distinguish some dozens of
// configurations, and short enough to be compared by eye.
const agreementSize = 12

// agreement returns a hash of the settings that all proxies in front of a pool must agree on.
func (p *Pool) agreement() string {
	text := fmt.Sprintf("%s %v %d%s", p.placing(), p.logChunk, p.logChunks, p.families.agreement())
	return digest(text)[:agreementSize]
}
