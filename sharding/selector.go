package sharding

import "net"

// Selector places the keys of a gomemcache client by a [Layout]. It implements
// gomemcache's memcache.ServerSelector, to be passed to memcache.NewFromSelector.
//
// Unlike gomemcache's own ServerList it resolves no host names. The client resolves
// them each time it dials, and so follows a server that changes its address.
//
// It is safe for concurrent use.
type Selector struct {
	addrs  []net.Addr
	layout Layout
}

// NewSelector returns a Selector for the servers of a pool. layout is the constructor of a
// layout, see [Constructor]. NewSelector refuses the pools that the constructor refuses.
func NewSelector(addrs []ServerAddr, layout func([]Server) (Layout, error)) (*Selector, error) {
	servers := make([]Server, len(addrs))
	targets := make([]net.Addr, len(addrs))
	for i, a := range addrs {
		servers[i] = a.Server
		targets[i] = target{a.Network, a.Address}
	}
	l, err := layout(servers)
	if err != nil {
		return nil, err
	}
	return &Selector{targets, l}, nil
}

// PickServer returns the address of the server that holds the key. It never fails.
func (s *Selector) PickServer(key string) (net.Addr, error) {
	return s.addrs[s.layout.Locate([]byte(key))], nil
}

// Each calls f with the address of each server, in the order of the pool, until
// f fails, and returns that error.
func (s *Selector) Each(f func(net.Addr) error) error {
	for _, a := range s.addrs {
		if err := f(a); err != nil {
			return err
		}
	}
	return nil
}

// target is an address that is not resolved yet.
type target struct{ network, address string }

func (t target) Network() string { return t.network }
func (t target) String() string  { return t.address }
