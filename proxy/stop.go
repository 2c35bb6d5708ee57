package proxy

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/execution"
)

// StopListening makes clients go to another process that has the listening sockets, or listens at the
// same addresses. Whoever has connected is still served.
func (s *Server) StopListening() {
	s.reloading.Lock()
	s.stopping = true
	s.reloading.Unlock()
	config.CloseAll(s.setup.Load().Sockets)
	s.handshakes.Hurry()
	s.acceptors.Wait()
}

// Shutdown waits until clients have got what they have asked for, but no longer than Config.Drain, and
// ends everything. Clients for which nothing is outstanding are disconnected at once. Those who connect
// meanwhile are still served, unless StopListening was called, and disconnected after what they have
// asked for first. A second call returns when the first has.
func (s *Server) Shutdown() { s.stop.Do(s.shutDown) }

// forLate is the share of Config.Drain that is left for clients that have come during a shutdown.
const forLate = 4

func (s *Server) shutDown() {
	s.reloading.Lock()
	s.stopping = true
	s.reloading.Unlock()
	now := s.setup.Load()
	s.leaveShared(now)
	s.draining.Store(true)
	s.eachLoop((*loop).drain)
	limit, most := time.NewTimer(now.Config.Drain), time.NewTimer(now.Config.Drain-now.Config.Drain/forLate)
	defer limit.Stop()
	defer most.Stop()
	s.await(most.C, (*loop).early)
	s.StopListening()
	s.deserted.Store(true)
	if s.awaitClients(limit.C) {
		s.await(limit.C, (*loop).inFlight)
	}
	s.cancel()
	s.looking.Wait()
	if n := s.shut(); n > 0 {
		s.log.Warn("clients cut off: what they asked for was not answered in time", "clients", n, "drain", now.Config.Drain)
	}
	if err := s.engine.Stop(); err != nil {
		s.log.Error("event loops did not stop in order", "error", err)
	}
	for _, l := range s.loops {
		l.close()
	}
}

// leaveShared closes the listeners with reuse-port, as other processes listen there too.
func (s *Server) leaveShared(now *config.Setup) {
	for _, l := range now.Sockets {
		if config := now.Listener(l); config.ReusePort && config.Address.Network == "tcp" {
			_ = l.Close()
		}
	}
}

// early returns how many clients are connected that have been so when clients began to be dismissed.
func (l *loop) early() int { return len(l.clients.all) - l.clients.late }

// awaitClients waits until no client is connected. It returns false if limit comes first.
func (s *Server) awaitClients(limit <-chan time.Time) bool {
	if s.clients.Load() == 0 {
		return true
	}
	select {
	case <-s.drained:
		return true
	case <-limit:
		return false
	}
}

// stopCheck is how often a shutdown looks whether something has ended.
const stopCheck = 5 * time.Millisecond

// await waits until there is nothing any more of what is counted on each loop, such as requests in
// flight for whose replies no client waits, or until limit.
func (s *Server) await(limit <-chan time.Time, of func(*loop) int) {
	check := time.NewTicker(stopCheck)
	defer check.Stop()
	for s.sumOfLoops(of) > 0 {
		select {
		case <-check.C:
		case <-limit:
			return
		}
	}
}

// inFlight returns how many requests to upstreams and verbs are in flight.
func (l *loop) inFlight() (n int) {
	for _, u := range l.pools.members {
		n += u.InFlight()
	}
	l.eachExecutor(func(x *execution.Executor) { n += x.Running() })
	return n
}

// shut ends everything on all loops. It returns how many clients have not got all that they have
// asked for.
func (s *Server) shut() int { return s.sumOfLoops((*loop).shut) }

// AwaitLoops returns when all event loops have answered. It must not be called after Shutdown.
func (s *Server) AwaitLoops() { s.sumOfLoops(func(*loop) int { return 0 }) }

// sumOfLoops calls of on each loop, waits for that, and returns the sum.
func (s *Server) sumOfLoops(of func(*loop) int) int {
	var called sync.WaitGroup
	var sum atomic.Int64
	for _, l := range s.loops {
		called.Add(1)
		if !l.post(func() { sum.Add(int64(of(l))); called.Done() }) {
			called.Done()
		}
	}
	called.Wait()
	return int(sum.Load())
}
