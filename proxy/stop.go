package proxy

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/memverbs/memverbs/proxy/execution"
)

// Shutdown stops listening, waits until clients have got what they have asked for, but no longer
// than Config.Drain, and ends everything. Clients for which nothing is outstanding are
// disconnected at once. A second call returns when the first has.
func (s *Server) Shutdown() { s.stop.Do(s.shutDown) }

func (s *Server) shutDown() {
	s.reloading.Lock()
	s.stopping = true
	s.reloading.Unlock()
	now := s.setup.Load()
	closeAll(now.listeners)
	s.handshakes.Hurry()
	s.acceptors.Wait()
	s.draining.Store(true)
	s.eachLoop((*loop).drain)
	limit := time.NewTimer(now.config.Drain)
	defer limit.Stop()
	if s.awaitClients(limit.C) {
		s.awaitUpstreams(limit.C)
	}
	s.cancel()
	s.looking.Wait()
	if n := s.shut(); n > 0 {
		s.log.Warn("clients cut off: what they asked for was not answered in time", "clients", n, "drain", now.config.Drain)
	}
	if err := s.engine.Stop(); err != nil {
		s.log.Error("event loops did not stop in order", "error", err)
	}
	for _, l := range s.loops {
		l.close()
	}
}

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

// inFlightCheck is how often a shutdown looks whether requests are in flight.
const inFlightCheck = 5 * time.Millisecond

// awaitUpstreams waits until nothing is in flight, as requests are for whose replies no client
// waits, or until limit.
func (s *Server) awaitUpstreams(limit <-chan time.Time) {
	check := time.NewTicker(inFlightCheck)
	defer check.Stop()
	for s.sumOfLoops((*loop).inFlight) > 0 {
		select {
		case <-check.C:
		case <-limit:
			return
		}
	}
}

// inFlight returns how many requests to upstreams and verbs are in flight.
func (l *loop) inFlight() (n int) {
	for _, u := range l.members {
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
