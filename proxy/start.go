package proxy

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/listen"
	"github.com/memverbs/memverbs/proxy/report"
	"github.com/memverbs/memverbs/proxy/secure"
	"github.com/memverbs/memverbs/proxy/transport"
	"github.com/memverbs/memverbs/verbs/structure"
)

// New returns a server with the given configuration, which logs to log.
func New(wanted config.Config, log *slog.Logger) *Server {
	s := &Server{
		shared:     shared{config: wanted, log: log, drained: make(chan struct{})},
		enrolling:  make(chan struct{}, maxEnrolling),
		polls:      report.NewPolls(),
		removed:    config.Gone{},
		handshakes: secure.NewHandshakes(log),
		lookNow:    make(chan struct{}, 1),
	}
	s.shared.answerStats = s.answerStats
	s.budget.Limit = int64(wanted.BufferMemory)
	if wanted.ReadCacheUsed == nil {
		s.config.ReadCacheUsed = func(int64) {}
	}
	if wanted.FirstVerb == nil {
		s.config.FirstVerb = func() {}
	}
	if wanted.WorksBeside == nil {
		s.config.WorksBeside = func() {}
	}
	s.firstVerb, s.worksBeside = sync.OnceFunc(s.config.FirstVerb), sync.OnceFunc(s.config.WorksBeside)
	s.refusedKeys = newRefusedKeys()
	s.viewRoom = structure.NewViewRoom(wanted.ReadCache, s.config.ReadCacheUsed)
	if wanted.Sockets == nil {
		s.config.Sockets = &listen.Sockets{}
	}
	s.pauses = pauses{unmoved: unmoved, lastRequests: lastRequests, lookEvery: lookEvery, probeEvery: probeEvery}
	s.stale = config.NewStaleness(wanted.Outdated)
	s.context, s.cancel = context.WithCancel(context.Background())
	if wanted.LogLinesLost == nil {
		s.config.LogLinesLost = func() uint64 { return 0 }
	}
	return s
}

// Start starts listening and connecting to the upstreams. It returns when clients can
// be served, or an error if that is impossible. It does not wait for the upstreams:
// requests for an upstream wait until the first attempt to connect to it has succeeded
// or failed. An unreachable upstream is not an error.
func (s *Server) Start() error {
	if err := s.Open(); err != nil {
		return err
	}
	s.Accept()
	return nil
}

// Open is Start without accepting clients: they wait, unless another process accepts them, until Accept
// is called.
func (s *Server) Open() error {
	s.started = time.Now()
	first, err := s.prepare(s.config, nil)
	if err != nil {
		return err
	}
	if err := s.startLoops(first); err != nil {
		config.CloseAll(first.Sockets)
		return err
	}
	s.setup.Store(first)
	s.eachLoop((*loop).connect)
	s.looking.Go(s.watchNames)
	return nil
}

// Accept begins to accept clients, after Open.
func (s *Server) Accept() { s.acceptOn(s.setup.Load().Sockets) }

// prepare checks a configuration and opens its listeners. Those that before, if not nil, has
// too, are kept. If that is impossible, nothing has changed.
func (s *Server) prepare(wanted config.Config, before *config.Setup) (*config.Setup, error) {
	if err := wanted.CheckUpstreams(s.context); err != nil {
		return nil, err
	}
	next := config.NewSetup(wanted, before, s.removed, s.stale, s.log)
	if err := next.Listen(s.config.Sockets, before); err != nil {
		return nil, err
	}
	if err := next.CheckSelf(s.context); err != nil {
		config.CloseAll(next.Without(before))
		return nil, err
	}
	return next, nil
}

// startLoops starts the event loops.
func (s *Server) startLoops(first *config.Setup) error {
	engine, err := transport.Start(s.config.Loops, s.log)
	if err != nil {
		return fmt.Errorf("event loops: %w", err)
	}
	s.engine = engine
	for _, net := range engine.Loops {
		s.loops = append(s.loops, newLoop(s, net, first))
	}
	return nil
}

// acceptOn accepts clients on listeners.
func (s *Server) acceptOn(listeners []*config.Socket) {
	for _, l := range listeners {
		s.acceptors.Go(func() { s.accept(l) })
	}
}
