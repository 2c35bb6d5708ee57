package proxy

import (
	"time"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/front"
)

// StopListening stops accepting clients, so that they go to another process that has the listening
// sockets, or listens at the same addresses. Connected clients are still served.
func (s *Server) StopListening() {
	s.stopReloading()
	config.CloseAll(s.shared.Setup.Load().Sockets)
	s.shared.Handshakes.Hurry()
	s.acceptors.Wait()
}

// Shutdown waits until clients have got what they have asked for, but no longer than Config.Drain, and
// ends everything. Clients for which nothing is outstanding are disconnected at once. Unless
// StopListening was called, clients may still connect; each is disconnected when its first requests are
// answered. A second call returns when the first has.
func (s *Server) Shutdown() { s.stop.Do(s.shutDown) }

// forLate is the share of Config.Drain that is left for clients that have come during a shutdown.
const forLate = 4

func (s *Server) shutDown() {
	s.stopReloading()
	now := s.shared.Setup.Load()
	s.leaveShared(now)
	s.shared.Draining.Store(true)
	s.shared.EachLoop((*front.Loop).Drain)
	limit, most := time.After(now.Config.Drain), time.After(now.Config.Drain-now.Config.Drain/forLate)
	s.await(most, (*front.Loop).Early)
	s.StopListening()
	s.shared.Deserted.Store(true)
	if s.awaitClients(limit) {
		s.await(limit, (*front.Loop).InFlight)
	}
	s.cancel()
	s.looking.Wait()
	if n := s.shared.SumOfLoops((*front.Loop).Shut); n > 0 {
		s.shared.Log.Warn("clients cut off: what they asked for was not answered in time", "clients", n, "drain", now.Config.Drain)
	}
	if err := s.engine.Stop(); err != nil {
		s.shared.Log.Error("event loops did not stop in order", "error", err)
	}
	for _, l := range s.shared.Loops {
		l.Close()
	}
}

// stopReloading waits for a reload that is under way, and has later ones refused.
func (s *Server) stopReloading() {
	s.reloading.Lock()
	defer s.reloading.Unlock()
	s.stopping = true
}

// leaveShared closes the listeners with reuse-port, as other processes listen there too.
func (s *Server) leaveShared(now *config.Setup) {
	for _, l := range now.Sockets {
		if config := now.Listener(l); config.ReusePort && config.Address.Network == "tcp" {
			_ = l.Close()
		}
	}
}

// awaitClients waits until no client is connected. It returns false if limit comes first.
func (s *Server) awaitClients(limit <-chan time.Time) bool {
	if s.shared.Clients.Load() == 0 {
		return true
	}
	select {
	case <-s.shared.Drained:
		return true
	case <-limit:
		return false
	}
}

// stopCheck is how often a shutdown looks whether something has ended.
const stopCheck = 5 * time.Millisecond

// await waits until the sum of a count of all loops is zero, or until limit. Such a count is the
// number of requests in flight: some have replies that no client waits for.
func (s *Server) await(limit <-chan time.Time, of func(*front.Loop) int) {
	check := time.NewTicker(stopCheck)
	defer check.Stop()
	for s.shared.SumOfLoops(of) > 0 {
		select {
		case <-check.C:
		case <-limit:
			return
		}
	}
}

// AwaitLoops returns when all event loops have answered. It must not be called after Shutdown.
func (s *Server) AwaitLoops() { s.shared.OnLoops(func(*front.Loop) {}) }
