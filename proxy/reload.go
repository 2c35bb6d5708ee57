package proxy

import (
	"errors"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/front"
)

// Reload makes the server use another configuration. If that can't be used, it returns an
// error and changes nothing. It returns when all loops use the new one.
//
// Upstreams of a pool that remain keep their connections, and listeners that remain keep
// their clients. The clients of removed listeners get the replies that are outstanding, and are
// then disconnected. Loops, BufferMemory, ReadCache and Slow can't be changed.
func (s *Server) Reload(wanted config.Config) error {
	s.reloading.Lock()
	defer s.reloading.Unlock()
	if s.stopping {
		return errors.New("the proxy is shutting down")
	}
	if err := wanted.CheckUpstreams(s.shared.Context); err != nil {
		return err
	}
	return s.change(wanted)
}

// change makes the server use another configuration whose upstreams were checked. reloading must be held.
func (s *Server) change(wanted config.Config) error {
	before := s.shared.Setup.Load()
	next, err := s.prepare(wanted, before)
	if err != nil {
		return err
	}
	s.warnOfRestart(&next.Config)
	next.LogChanges(before, s.shared.Log)
	s.removed.Note(before, next)
	s.stale.Drop(before, next)
	next.SetModes(before, s.shared.Log)
	next.Exclude()
	s.shared.Setup.Store(next)
	config.CloseAll(before.Without(next))
	s.applyOnAll(next)
	s.acceptOn(next.Without(before))
	s.keepUp(next)
	s.recordSoon()
	return nil
}

// applyOnAll makes all loops use a setup, and waits until they do.
func (s *Server) applyOnAll(next *config.Setup) {
	s.shared.OnLoops(func(l *front.Loop) {
		l.Apply(next)
		l.Connect()
	})
	first := s.shared.Loops[0]
	first.Post(func() { s.shared.Polls.Keep(first.Pools.Members) })
}

// warnOfRestart logs a change of reuse-port, which takes effect only after a restart. Settings of
// the whole process are checked elsewhere.
func (s *Server) warnOfRestart(next *config.Config) {
	if s.shared.Setup.Load().ChangesReuse(next) {
		s.shared.Log.Warn("a setting was changed that takes effect at the next start only", "setting", "reuse-port")
	}
}

// ClearOutdated deletes the keys that were added to Config.Outdated after Open, on servers that are
// already in use.
func (s *Server) ClearOutdated() {
	for _, p := range s.shared.Setup.Load().Pools {
		for _, remote := range p.Remotes {
			remote.Clear()
		}
	}
}
