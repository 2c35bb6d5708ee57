package proxy

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/front"
	"github.com/memverbs/memverbs/proxy/transport"
)

// New returns a server with the given configuration, which logs to log.
func New(wanted config.Config, log *slog.Logger) *Server {
	s := &Server{
		enrolling:  make(chan struct{}, maxEnrolling),
		removed:    config.Gone{},
		stale:      config.NewStaleness(wanted.Outdated),
		lookEvery:  lookEvery,
		lookNow:    make(chan struct{}, 1),
		recordNow:  make(chan struct{}, 1),
		background: background{},
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.shared, s.cancel = front.NewShared(ctx, wanted, log), cancel
	return s
}

// Open starts listening and connecting to the upstreams, or returns an error if that is impossible. It does not wait
// for the upstreams: requests for an upstream wait until the first attempt to connect to it has succeeded or failed. An
// unreachable upstream is not an error. Until Accept is called, clients that connect wait, unless another process
// accepts them.
func (s *Server) Open() error {
	s.shared.Started = time.Now()
	if err := s.shared.Config.CheckUpstreams(s.shared.Context); err != nil {
		return err
	}
	first, err := s.prepare(s.shared.Config, nil)
	if err != nil {
		return err
	}
	if err := s.startLoops(first); err != nil {
		config.CloseAll(first.Sockets)
		return err
	}
	s.shared.Setup.Store(first)
	s.shared.EachLoop((*front.Loop).Connect)
	s.looking.Go(s.watchNames)
	s.looking.Go(s.keepRecords)
	s.recordSoon()
	s.keepUp(first)
	return nil
}

// Accept begins to accept clients, after Open.
func (s *Server) Accept() { s.acceptOn(s.shared.Setup.Load().Sockets) }

// prepare completes and checks a configuration, and opens its listeners, except those that are open already
// because before, if not nil, has them. If it returns an error, nothing has changed.
func (s *Server) prepare(wanted config.Config, before *config.Setup) (*config.Setup, error) {
	if err := wanted.FindServers(s.shared.Context, before); err != nil {
		return nil, err
	}
	next := config.NewSetup(wanted, before, s.removed, s.stale, s.shared.Log)
	if err := next.Listen(s.shared.Config.Sockets, before); err != nil {
		return nil, err
	}
	if err := next.CheckSelf(s.shared.Context); err != nil {
		config.CloseAll(next.Without(before))
		return nil, err
	}
	return next, nil
}

// startLoops starts the event loops.
func (s *Server) startLoops(first *config.Setup) error {
	engine, err := transport.Start(s.shared.Config.Loops, s.shared.Log)
	if err != nil {
		return fmt.Errorf("event loops: %w", err)
	}
	s.engine = engine
	for _, net := range engine.Loops {
		s.shared.Loops = append(s.shared.Loops, front.NewLoop(s.shared, net, first))
	}
	return nil
}

// acceptOn accepts clients on listeners.
func (s *Server) acceptOn(listeners []*config.Socket) {
	for _, l := range listeners {
		s.acceptors.Go(func() { s.accept(l) })
	}
}
