package service

import (
	"context"
	"log/slog"

	"github.com/memverbs/memverbs/cmd/memverbs/settings"
	"github.com/memverbs/memverbs/proxy"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/listen"
	"github.com/memverbs/memverbs/proxy/outdated"
)

// Service is a proxy that runs until a signal stops it.
type Service struct {
	Version   string
	File      string        // with the settings; empty if there is none
	Started   *settings.All // the settings that it is started with
	Log       *slog.Logger
	LinesLost func() uint64 // how many lines the log has lost
}

// Run starts the proxy and returns when a signal has stopped it. Its error is about the start.
func (s Service) Run() error { return s.run(handleSignals()) }

func (s Service) run(signals signals) error {
	wanted, closeStore, err := s.Started.Config(s.Log)
	if err != nil {
		return err
	}
	defer closeStore()
	inherited, err := inherit(s.Started.ListensAt())
	if err != nil {
		return err
	}
	memory := outdated.New()
	inherited.legacy.read(memory, s.Log)
	wanted.Version, wanted.LogLinesLost, wanted.Sockets, wanted.Outdated = s.Version, s.LinesLost, inherited.Sockets, memory
	tuneRuntime(s.Started, &wanted)
	if err := limitClients(&wanted, s.Log); err != nil {
		return err
	}
	server := proxy.New(wanted, s.Log)
	begun := make(chan error, 1)
	go func() { begun <- inherited.begin(server) }()
	select {
	case err := <-begun:
		if err != nil {
			return err
		}
	case stop := <-signals.stop:
		s.Log.Info("stopped before it was ready", "signal", stop.String())
		return nil
	}
	reloader := newReloader(s.File, s.Started, server, s.Log)
	reminding, stopReminding := context.WithCancel(context.Background())
	defer stopReminding()
	go reloader.reminder.remind(reminding)
	stopAdmin, err := startAdmin(s.Started, reloader, inherited.Sockets, s.Log)
	if err != nil {
		server.Shutdown()
		return err
	}
	s.tellReady(server, &wanted)
	manager := &systemd{log: s.Log}
	manager.serving(addresses(server), inherited.ready != nil)
	manager.watch(server.AwaitLoops)
	inherited.served()
	go inherited.legacy.readRest(memory, server, s.Log)
	successor := &succession{sockets: inherited.Sockets, systemd: manager, log: s.Log, memory: memory, unreached: server.Unreached}
	stop := signals.await(reloader, successor)
	if successor.pid == 0 {
		manager.stopping()
	}
	s.Log.Info("stopping", "signal", stop.String(), "drain", reloader.now.Drain)
	signals.endAtNext(successor)
	stopAdmin()
	if successor.pid != 0 {
		server.StopListening()
	}
	server.Shutdown()
	successor.will.execute()
	s.Log.Info("stopped")
	return nil
}

// tellReady logs what the proxy serves.
func (s Service) tellReady(server *proxy.Server, of *config.Config) {
	if s.Started.Embedded > 0 {
		s.Log.Info("no --upstream given: using the embedded store; data is lost on exit", "memory", s.Started.Embedded.String())
	}
	var upstreams []string
	for _, p := range of.Pools {
		if p.Discovery != nil {
			upstreams = append(upstreams, p.Discovery.Source().String())
		}
		for _, u := range p.Upstreams {
			upstreams = append(upstreams, u.Name)
		}
	}
	s.Log.Info("ready", "version", s.Version, "listen", addresses(server), "upstreams", upstreams, "loops", of.Loops)
	warnOfExposure(server, s.Log)
}

// addresses returns where the server listens, as it would be set.
func addresses(s *proxy.Server) (list []string) {
	for _, a := range s.Addrs() {
		list = append(list, listen.AddressOf(a).String())
	}
	return list
}
