package proxy

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/memverbs/memverbs/proxy/listen"
	"github.com/memverbs/memverbs/proxy/transport"
	"github.com/memverbs/memverbs/sharding"
)

// Reload makes the server use another configuration. If that can't be used, it returns an
// error and changes nothing. It returns when all loops use the new one.
//
// Upstreams of a pool that remain keep their connections, and listeners that remain keep
// their clients. The clients of the others get the replies to what they have asked for, and
// are disconnected. Loops, BufferMemory, ReadCache and Slow can't be changed.
func (s *Server) Reload(config Config) error {
	s.reloading.Lock()
	defer s.reloading.Unlock()
	if s.stopping {
		return errors.New("the proxy is shutting down")
	}
	before := s.setup.Load()
	next, err := s.prepare(config, before)
	if err != nil {
		return err
	}
	s.warnOfRestart(&next.config)
	s.logChanges(before, next)
	s.removed.note(before, next)
	s.stale.drop(before, next)
	s.setModes(before, next)
	s.setup.Store(next)
	closeAll(before.without(next))
	s.applyOnAll(next)
	s.acceptOn(next.without(before))
	return nil
}

// setModes sets the permissions of sockets that remain with others.
func (s *Server) setModes(before, next *setup) {
	for i, l := range next.listeners {
		config := &next.config.Listeners[i]
		if config.Address.Network != "unix" || !slices.Contains(before.listeners, l) || config.SocketMode == before.listener(l).SocketMode {
			continue
		}
		if err := listen.SetMode(l.Listener, config.SocketMode); err != nil {
			s.log.Warn("cannot set the permissions of a socket: they remain", "address", config.Address.String(), "error", transport.Cause(err))
		}
	}
}

// applyOnAll makes all loops use a setup, and waits until they do.
func (s *Server) applyOnAll(next *setup) {
	var applied sync.WaitGroup
	for _, l := range s.loops {
		applied.Add(1)
		l.post(func() {
			l.apply(next)
			l.connect()
			applied.Done()
		})
	}
	applied.Wait()
	first := s.loops[0]
	first.post(func() { s.polls.keep(first.pools.members) })
}

// warnOfRestart logs what can't be changed while the server runs, but for the settings of the whole
// process.
func (s *Server) warnOfRestart(next *Config) {
	if s.setup.Load().changesReuse(next) {
		s.log.Warn("a setting was changed that takes effect at the next start only", "setting", "reuse-port")
	}
}

// logChanges logs what a reload changes.
func (s *Server) logChanges(before, next *setup) {
	for _, p := range next.pools {
		switch old := before.pool(p.Name); {
		case old == nil:
			s.log.Info("pool added", "pool", p.Name, "upstreams", p.names())
		case old != p:
			s.log.Info("pool changed", "pool", p.Name, "settings", changed(old.Settings, p.Settings), "added", without(p.names(), old.names()), "removed", without(old.names(), p.names()),
				"keys-that-move", fmt.Sprintf("%.1f%%", 100*sharding.Moved(old.Layout, p.Layout, old.servers(), p.servers())))
		}
	}
	for _, p := range before.pools {
		if next.pool(p.Name) == nil {
			s.log.Info("pool removed", "pool", p.Name)
		}
	}
	for i, l := range next.listeners {
		if names := changed(before.listener(l).Settings, next.config.Listeners[i].Settings); len(names) > 0 && slices.Contains(before.listeners, l) {
			s.log.Info("listener changed", "address", l.name(), "settings", names)
		}
	}
	for _, l := range next.without(before) {
		s.log.Info("listener added", "address", l.name())
	}
	for _, l := range before.without(next) {
		s.log.Info("listener removed", "address", l.name())
	}
}

// changed returns the names of the settings that differ after a reload.
func changed(before, after []Setting) (names []string) {
	for _, setting := range after {
		if !slices.Contains(before, setting) {
			names = append(names, setting.Name)
		}
	}
	return names
}

// names returns the names of the upstreams.
func (p *sharedPool) names() (names []string) {
	for _, u := range p.Upstreams {
		names = append(names, u.Name)
	}
	return names
}

// servers returns what tells the upstreams apart: a name may change.
func (p *sharedPool) servers() (ids []string) {
	for _, u := range p.Upstreams {
		ids = append(ids, u.server())
	}
	return ids
}

// without returns the elements of list that are not in other.
func without(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(name string) bool { return slices.Contains(other, name) })
}
