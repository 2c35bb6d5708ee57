// Command memverbs is a proxy in front of memcached. It forwards plain commands to the
// servers of a pool and carries out verbs that memcached lacks. See README.md for what
// it does and `memverbs --help` for its flags.
//
// This package only reads the flags or the file with settings, wires the parts together and waits for a signal.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"time"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/proxy"
	"github.com/memverbs/memverbs/proxy/listen"
	"github.com/memverbs/memverbs/proxy/logqueue"
	"github.com/memverbs/memverbs/proxy/outdated"
)

// version is printed by --version, and by stats as memverbs_version, and date by the manual page,
// as 2026-11-23. The linker sets them to those of a release.
var version, date = "0.1.0-dev", ""

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, journalOr(os.Stderr)))
}

// run is the whole program. It returns the exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if c := subcommandOf(args); c != nil {
		return c.run(args[1:], stdin, stdout, stderr)
	}
	if completing(args) {
		return complete(args, stdout, stderr)
	}
	o := newOptions()
	others, err := o.parse(args)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		fmt.Fprint(stdout, ownManual(o).help())
		return exitOK
	case err != nil:
		return fail(stderr, err)
	case len(others) > 0:
		return fail(stderr, noSubcommand(others[0], o.all()))
	case o.version:
		fmt.Fprintf(stdout, "memverbs %s (%s, %s/%s)\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
		return exitOK
	}
	s, warnings, err := o.settings()
	if err != nil {
		return fail(stderr, err)
	}
	return serve(s, o.config, warnings, handleSignals(), stderr)
}

// lastLines is how long the program waits at its end for its log to be written.
const lastLines = time.Second

// serve runs the proxy until a signal stops it. path is the file with the settings, empty if
// there is none. The log goes through a queue, since writing to stderr may block.
func serve(s *settings, path string, warnings []warning, signals signals, stderr io.Writer) int {
	queue := logqueue.New(stderr, func(w io.Writer) *slog.Logger { return s.logger(toward(stderr, w)) })
	defer queue.Close(lastLines)
	said := toward(stderr, queue)
	log := s.logger(said)
	refuse := func(err error) int {
		status := fail(said, err)
		if status == exitUsage && path != "" {
			status = exitWrongFile
		}
		return status
	}
	for _, w := range warnings {
		log.Warn(w.text, "at", w.at)
	}
	config, closeStore, err := s.config(log)
	if err != nil {
		return refuse(err)
	}
	defer closeStore()
	config.LogLinesLost = queue.Lost
	inherited, err := inherit(s.addresses())
	if err != nil {
		return refuse(err)
	}
	config.Sockets, config.Outdated = inherited.Sockets, outdated.New()
	inherited.legacy.read(config.Outdated, log)
	s.tuneRuntime()
	limitClients(&config, log)
	server := proxy.New(config, log)
	started := make(chan error, 1)
	go func() { started <- inherited.begin(server) }()
	select {
	case err := <-started:
		if err != nil {
			return refuse(err)
		}
	case stop := <-signals.stop:
		log.Info("stopped before it was ready", "signal", stop.String())
		return exitOK
	}
	running := newReloader(path, s, server, log)
	reminding, stopReminding := context.WithCancel(context.Background())
	defer stopReminding()
	go running.remind(reminding)
	stopAdmin, err := s.startAdmin(running, inherited.Sockets, log)
	if err != nil {
		server.Shutdown()
		return refuse(err)
	}
	if s.embedded > 0 {
		log.Info("no --upstream given: using the embedded store; data is lost on exit", "memory", s.embedded.String())
	}
	log.Info("ready", "version", version, "listen", addresses(server), "upstreams", names(config.Pools), "loops", config.Loops)
	warnOfExposure(server, log)
	manager := &systemd{log: log}
	manager.serving(addresses(server), inherited.ready != nil)
	manager.watch(server.AwaitLoops)
	inherited.served()
	go inherited.legacy.readRest(config.Outdated, server, log)
	successor := &succession{sockets: inherited.Sockets, systemd: manager, log: log, memory: config.Outdated, unreached: server.Unreached}
	stop := signals.await(running, successor)
	if successor.pid == 0 {
		manager.stopping()
	}
	log.Info("stopping", "signal", stop.String(), "drain", running.now.drain)
	signals.endAtNext(successor)
	stopAdmin()
	if successor.pid != 0 {
		server.StopListening()
	}
	server.Shutdown()
	successor.will.execute()
	log.Info("stopped")
	return exitOK
}

// addresses returns where the server listens, as it would be set.
func addresses(s *proxy.Server) (list []string) {
	for _, a := range s.Addrs() {
		list = append(list, listen.AddressOf(a).String())
	}
	return list
}

func names(pools []proxy.Pool) (list []string) {
	for _, p := range pools {
		for _, u := range p.Upstreams {
			list = append(list, u.Name)
		}
	}
	return list
}
