package proxy

import (
	"context"
	"fmt"
	"net"
	"testing"

	"github.com/memverbs/memverbs/cmd/memverbs/embedded"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/sharding"
)

// pools is a proxy with several pools, and the stores of their servers.
type pools struct {
	*Server
	stores []*store
	extra  string // path of a socket
}

// store is a server inside the process.
type store struct {
	*embedded.Store
	name string
}

// newPools returns a proxy, not started yet, with pools of one server each, which is in
// stores. Its listener serves the first of them.
func newPools(t *testing.T, names ...string) *pools {
	t.Helper()
	s := &pools{Server: newServer(1)}
	template := s.shared.Config.Pools[0]
	s.shared.Config.Pools = nil
	for i, name := range names {
		s.stores = append(s.stores, newStore(t, fmt.Sprintf("store%d", i)))
		s.shared.Config.Pools = append(s.shared.Config.Pools, poolOf(template, name, s.stores[i]))
	}
	s.shared.Config.Listeners[0].Routes = []config.Route{{Pool: names[0]}}
	return s
}

// poolOf returns a pool of stores with the settings of template.
func poolOf(template config.Pool, name string, stores ...*store) config.Pool {
	p := template
	p.Name = name
	p.Settings, p.Upstreams = nil, nil
	var servers []sharding.Server
	for _, st := range stores {
		p.Upstreams = append(p.Upstreams, config.Upstream{Name: st.name, Dial: func(context.Context) (net.Conn, error) { return st.Dial() }})
		p.Settings = append(p.Settings, config.Setting{Name: "servers", Text: st.name, AtOnce: true})
		servers = append(servers, sharding.Server{Host: st.name, Port: 11211, Weight: 1})
	}
	p.Layout, _ = sharding.ByName(sharding.Default, servers)
	return p
}

func newStore(t *testing.T, name string) *store {
	t.Helper()
	st, err := embedded.New(8<<20, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(st.Close)
	return &store{st, name}
}

// dial connects to the store without the proxy.
func (s *store) dial(t *testing.T) net.Conn {
	t.Helper()
	conn, err := s.Dial()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// dialListener connects to one of the listeners.
func dialListener(t *testing.T, s *pools, n int) net.Conn {
	t.Helper()
	at := s.Addrs()[n]
	conn, err := net.Dial(at.Network(), at.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}
