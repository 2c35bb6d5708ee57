package proxy

import (
	"log/slog"
	"net"
	"slices"
	"sync/atomic"

	"github.com/memverbs/memverbs/proxy/listen"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/proxy/warning"
)

// setup is what a reload replaces: the pools and the listeners of a server. It never
// changes, and all loops share it.
type setup struct {
	config    Config
	pools     []*sharedPool // in the order of config
	listeners []*listener   // in the order of config
}

// sharedPool is a pool as all loops see it.
type sharedPool struct {
	Pool
	stale   staleness
	guard   guard
	remotes []*upstream.Remote
	log     *slog.Logger
}

// listener is a socket that clients connect to. It remains while setups have its address.
type listener struct {
	net.Listener
	clients atomic.Int64 // connected
	// For the goroutine that accepts: clients that are refused, and those that can't be accepted.
	crowded, unaccepted warning.Limited
	unserved            warning.Shared
}

// name identifies the listener in the log, as its address would be set.
func (l *listener) name() string { return listen.AddressOf(l.Addr()).String() }

// newSetup returns a setup without listeners. Pools and upstreams that before, if not nil,
// has too are the same objects.
func newSetup(config Config, before *setup, gone removed, stale staleness, log *slog.Logger) *setup {
	s := &setup{config: config}
	stale.informed = stale.informed || before != nil
	for _, p := range config.Pools {
		log := log
		if len(config.Pools) > 1 {
			log = log.With("pool", p.Name)
		}
		s.pools = append(s.pools, newSharedPool(p, before.pool(p.Name), gone, stale, config.Loops, log))
	}
	return s
}

// listen opens the listeners. Those that before, if not nil, has too, are the same objects.
// If one can't be opened, the new ones are closed.
func (s *setup) listen(sockets *listen.Sockets, before *setup) error {
	for i := range s.config.Listeners {
		config := &s.config.Listeners[i]
		at := before.listenerAt(config)
		if at == nil {
			l, err := sockets.Open(config.Address, listen.Options{Mode: config.SocketMode, ReusePort: config.ReusePort})
			if err != nil {
				closeAll(s.without(before))
				return err
			}
			at = &listener{Listener: l}
		}
		s.listeners = append(s.listeners, at)
	}
	return nil
}

// listenerAt returns the listener that has the address of another one, nil if there is none.
func (s *setup) listenerAt(config *Listener) *listener {
	if s == nil {
		return nil
	}
	for i, at := range s.listeners {
		if mine := &s.config.Listeners[i]; mine.Address == config.Address {
			return at
		}
	}
	return nil
}

// changesReuse reports whether a listener remains in a configuration with another ReusePort.
func (s *setup) changesReuse(next *Config) bool {
	return slices.ContainsFunc(next.Listeners, func(l Listener) bool {
		at := s.listenerAt(&l)
		return at != nil && s.listener(at).ReusePort != l.ReusePort && l.Address.Network == "tcp"
	})
}

// without returns the listeners that other, if not nil, does not have.
func (s *setup) without(other *setup) (list []*listener) {
	for _, at := range s.listeners {
		if other == nil || !slices.Contains(other.listeners, at) {
			list = append(list, at)
		}
	}
	return list
}

func closeAll(listeners []*listener) {
	for _, l := range listeners {
		_ = l.Close()
	}
}

// pool returns the pool of that name, nil if there is none.
func (s *setup) pool(name string) *sharedPool {
	if s == nil {
		return nil
	}
	for _, p := range s.pools {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// routesTo reports whether a listener leads to the pool of that name, rather than only another
// pool whose spare it is.
func (s *setup) routesTo(name string) bool {
	return slices.ContainsFunc(s.config.Listeners, func(l Listener) bool {
		return slices.ContainsFunc(l.Routes, func(r Route) bool { return r.Pool == name })
	})
}

// listener returns the configuration of a listener, an empty one if the setup does not have
// it.
func (s *setup) listener(at *listener) *Listener {
	if i := slices.Index(s.listeners, at); i >= 0 {
		return &s.config.Listeners[i]
	}
	return &Listener{}
}

// newSharedPool returns the pool of a configuration. before is the one by that name in the
// setup before, nil if there is none. gone are the upstreams that reloads have removed.
func newSharedPool(config Pool, before *sharedPool, gone removed, stale staleness, loops int, log *slog.Logger) *sharedPool {
	if before != nil && len(config.Settings) > 0 && slices.Equal(before.Settings, config.Settings) {
		return before
	}
	p := &sharedPool{Pool: config, guard: newGuard(config.Guard), log: log, stale: stale}
	p.Verbs.ReadOnly = config.Guard.ReadOnly
	p.Upstreams = slices.Clone(config.Upstreams)
	for i, u := range config.Upstreams {
		if n := before.keeps(p, u); n >= 0 {
			p.Upstreams[i] = before.Upstreams[n]
			p.remotes = append(p.remotes, before.remotes[n])
			continue
		}
		remote := p.newRemote(u, loops)
		if gone.has(u.server()) {
			remote.MarkReturning()
		}
		p.remotes = append(p.remotes, remote)
	}
	return p
}

// newRemote returns the Remote of an upstream of p.
func (p *sharedPool) newRemote(u Upstream, loops int) *upstream.Remote {
	return upstream.NewRemote(upstream.Server{Name: u.Name, ID: u.server(), Resolve: u.Resolve, Dial: u.Dial, Ended: u.Ended}, loops, p.stale.memory.Of(u.server()), p.stale.informed, p.log)
}

// keeps returns the index of the upstream of p that p's successor uses too, as u; -1 if there is none.
// A server with another name is a new one, as what counts its requests has its name.
func (p *sharedPool) keeps(successor *sharedPool, u Upstream) int {
	if p == nil || !p.connectsLike(successor) {
		return -1
	}
	i := slices.IndexFunc(p.Upstreams, func(mine Upstream) bool { return mine.server() == u.server() && mine.Name == u.Name })
	if i < 0 || slices.Contains(successor.remotes, p.remotes[i]) {
		return -1
	}
	return i
}

// connectsLike reports whether connections to an upstream of p can be used for one of other: whether all
// settings are equal but for those that connections have nothing to do with.
func (p *sharedPool) connectsLike(other *sharedPool) bool {
	return slices.Equal(p.ofConnections(), other.ofConnections())
}

// ofConnections returns the settings that connections depend on.
func (p *sharedPool) ofConnections() []Setting {
	return slices.DeleteFunc(slices.Clone(p.Settings), func(s Setting) bool { return s.AtOnce })
}

// upstreams returns how many upstreams all pools have together.
func (s *setup) upstreams() (n int) {
	for _, p := range s.pools {
		n += len(p.remotes)
	}
	return n
}
