package config

import (
	"log/slog"
	"slices"

	"github.com/memverbs/memverbs/proxy/listen"
	"github.com/memverbs/memverbs/proxy/transport"
)

// Setup is what a reload replaces: the pools and the listeners of a server. It never
// changes, and all loops share it.
type Setup struct {
	Config  Config
	Pools   []*SharedPool // in the order of config
	Sockets []*Socket     // in the order of config
}

// NewSetup returns a setup without listeners. Pools and upstreams that before, if not nil,
// has too are the same objects.
func NewSetup(config Config, before *Setup, gone Gone, stale Staleness, log *slog.Logger) *Setup {
	s := &Setup{Config: config}
	stale.informed = stale.informed || before != nil
	for _, p := range config.Pools {
		log := log
		if len(config.Pools) > 1 {
			log = log.With("pool", p.Name)
		}
		s.Pools = append(s.Pools, newSharedPool(p, before.Pool(p.Name), gone, stale, config.Loops, log))
	}
	return s
}

// Listen opens the listeners. Those that before, if not nil, has too, are the same objects.
// If one can't be opened, the new ones are closed.
func (s *Setup) Listen(sockets *listen.Sockets, before *Setup) error {
	for i := range s.Config.Listeners {
		config := &s.Config.Listeners[i]
		at := before.listenerAt(config)
		if at == nil {
			l, err := sockets.Open(config.Address, listen.Options{Mode: config.SocketMode, ReusePort: config.ReusePort})
			if err != nil {
				CloseAll(s.Without(before))
				return err
			}
			at = &Socket{Listener: l}
		}
		s.Sockets = append(s.Sockets, at)
	}
	return nil
}

// listenerAt returns the listener that has the address of another one, nil if there is none.
func (s *Setup) listenerAt(config *Listener) *Socket {
	if s == nil {
		return nil
	}
	for i, at := range s.Sockets {
		if mine := &s.Config.Listeners[i]; mine.Address == config.Address {
			return at
		}
	}
	return nil
}

// ChangesReuse reports whether a listener remains in a configuration with another ReusePort.
func (s *Setup) ChangesReuse(next *Config) bool {
	return slices.ContainsFunc(next.Listeners, func(l Listener) bool {
		at := s.listenerAt(&l)
		return at != nil && s.Listener(at).ReusePort != l.ReusePort && l.Address.Network == "tcp"
	})
}

// Without returns the listeners that other, if not nil, does not have.
func (s *Setup) Without(other *Setup) []*Socket {
	if other == nil {
		return s.Sockets
	}
	return slices.DeleteFunc(slices.Clone(s.Sockets), func(at *Socket) bool { return slices.Contains(other.Sockets, at) })
}

// Pool returns the pool of that name, nil if there is none.
func (s *Setup) Pool(name string) *SharedPool {
	if s == nil {
		return nil
	}
	for _, p := range s.Pools {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// RoutesTo reports whether a route of a listener has the pool of that name. A pool may be only the
// spare of another one.
func (s *Setup) RoutesTo(name string) bool {
	return slices.ContainsFunc(s.Config.Listeners, func(l Listener) bool {
		return slices.ContainsFunc(l.Routes, func(r Route) bool { return slices.Contains(r.Pools(), name) })
	})
}

// OnlyShadows reports whether the pool of that name is a shadow, and nothing else: no client waits for its answers.
func (s *Setup) OnlyShadows(name string) bool {
	is := slices.ContainsFunc(s.Config.Listeners, func(l Listener) bool { return slices.Contains(l.Shadows(), name) })
	return is && !s.RoutesTo(name) && !slices.ContainsFunc(s.Pools, func(p *SharedPool) bool { return p.Spare == name })
}

// Listener returns the configuration of a listener, an empty one if the setup does not have
// it.
func (s *Setup) Listener(at *Socket) *Listener {
	if i := slices.Index(s.Sockets, at); i >= 0 {
		return &s.Config.Listeners[i]
	}
	return &Listener{}
}

// Upstreams returns how many upstreams all pools have together.
func (s *Setup) Upstreams() (n int) {
	for _, p := range s.Pools {
		n += len(p.Remotes)
	}
	return n
}

// SetModes sets the permissions of unix sockets that before has too, with other permissions.
func (s *Setup) SetModes(before *Setup, log *slog.Logger) {
	for i, l := range s.Sockets {
		at := &s.Config.Listeners[i]
		if at.Address.Network != "unix" || !slices.Contains(before.Sockets, l) || at.SocketMode == before.Listener(l).SocketMode {
			continue
		}
		if err := listen.SetMode(l.Listener, at.SocketMode); err != nil {
			log.Warn("cannot set the permissions of a socket: they remain", "address", at.Address.String(), "error", transport.Cause(err))
		}
	}
}
