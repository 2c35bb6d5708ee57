package proxy

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/memverbs/memverbs/proxy/listen"
	"github.com/memverbs/memverbs/proxy/transport"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs/structure"
)

// New returns a server with the given configuration, which logs to log.
func New(config Config, log *slog.Logger) *Server {
	s := &Server{
		shared:    shared{config: config, log: log, drained: make(chan struct{})},
		layout:    config.Layout,
		enrolling: make(chan struct{}, maxEnrolling),
		polls:     polls{},
	}
	s.shared.answerStats = s.answerStats
	s.budget.Limit = int64(config.BufferMemory)
	if config.ReadCacheUsed == nil {
		s.config.ReadCacheUsed = func(int64) {}
	}
	s.viewRoom = structure.NewViewRoom(config.ReadCache, config.Loops, s.config.ReadCacheUsed)
	s.config.unmoved = unmoved
	s.context, s.cancel = context.WithCancel(context.Background())
	if config.LogLinesLost == nil {
		s.config.LogLinesLost = func() uint64 { return 0 }
	}
	var servers []upstream.Server
	for _, u := range config.Upstreams {
		servers = append(servers, upstream.Server{Name: u.Name, Dial: u.Dial, Ended: u.Ended})
	}
	s.servers = upstream.NewServers(servers, config.Loops, log)
	return s
}

// Start starts listening and connecting to the upstreams. It returns when clients can
// be served, or an error if that is impossible. It does not wait for the upstreams:
// requests for an upstream wait until the first attempt to connect to it has succeeded
// or failed. An unreachable upstream is not an error.
func (s *Server) Start() error {
	s.started = time.Now()
	if err := s.checkUpstreams(); err != nil {
		return err
	}
	for _, a := range s.config.Listen {
		l, err := listen.Open(a, s.config.SocketMode)
		if err != nil {
			s.closeListeners()
			return err
		}
		s.listeners = append(s.listeners, l)
	}
	if err := s.checkSelf(); err != nil {
		s.closeListeners()
		return err
	}
	if err := s.startLoops(); err != nil {
		s.closeListeners()
		return err
	}
	s.connect()
	for _, l := range s.listeners {
		s.acceptors.Go(func() { s.accept(l) })
	}
	return nil
}

// startLoops starts the event loops.
func (s *Server) startLoops() error {
	engine, err := transport.Start(s.config.Loops, s.log)
	if err != nil {
		return fmt.Errorf("event loops: %w", err)
	}
	s.engine = engine
	for _, net := range engine.Loops {
		s.loops = append(s.loops, newLoop(s, net))
	}
	return nil
}

// connect makes every loop start connecting to every upstream.
func (s *Server) connect() {
	s.eachLoop(func(l *loop) {
		for _, u := range l.pool.All {
			u.Connect()
		}
	})
}

// lastRead is how long a shutdown continues to read from clients.
const lastRead = 50 * time.Millisecond

// Shutdown stops listening, waits until requests in flight have been answered, but no
// longer than Config.Drain, and ends everything.
func (s *Server) Shutdown() {
	s.closeListeners()
	s.acceptors.Wait()
	s.pause(lastRead)
	s.draining.Store(true)
	s.eachLoop((*loop).drain)
	if s.clients.Load() > 0 {
		timer := time.NewTimer(s.config.Drain)
		defer timer.Stop()
		select {
		case <-s.drained:
		case <-timer.C:
			s.log.Warn("clients cut off: what they asked for was not answered in time", "clients", s.clients.Load(), "drain", s.config.Drain)
		}
	}
	s.cancel()
	var shut sync.WaitGroup
	for _, l := range s.loops {
		shut.Add(1)
		if !l.post(func() { l.shut(); shut.Done() }) {
			shut.Done()
		}
	}
	shut.Wait()
	if err := s.engine.Stop(); err != nil {
		s.log.Error("event loops did not stop in order", "error", err)
	}
	for _, l := range s.loops {
		l.close()
	}
}

func (s *Server) closeListeners() {
	for _, l := range s.listeners {
		_ = l.Close()
	}
}
