package service

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/cmd/memverbs/settings"
	"github.com/memverbs/memverbs/proxy"
	"github.com/memverbs/memverbs/proxy/listen"
	"github.com/memverbs/memverbs/proxy/status"
)

// reloader makes a running proxy read its file again and use it.
type reloader struct {
	path         string // of the file; empty if there is none
	started, now *settings.All
	server       *proxy.Server
	log          *slog.Logger

	asked chan chan<- error // reloads that the admin server asks for
	last  atomic.Pointer[status.Reload]

	reminder reminder
}

// newReloader returns a reloader of a proxy that has been started with settings.
func newReloader(path string, s *settings.All, server *proxy.Server, log *slog.Logger) *reloader {
	r := &reloader{path: path, started: s, server: server, log: log, asked: make(chan chan<- error)}
	r.last.Store(&status.Reload{Succeeded: time.Now()})
	r.use(s)
	return r
}

// use makes s the settings now.
func (r *reloader) use(s *settings.All) {
	r.now = s
	r.reminder.use(s)
}

// errNoFile is the error of a reload without a file.
var errNoFile = errors.New("there is nothing to reload, as everything is set by flags; to change settings while memverbs runs, start it with --config")

// hangup reloads because of SIGHUP. It returns false if the file is wrong.
func (r *reloader) hangup() bool {
	err := r.reload()
	r.server.LookAgain()
	if errors.Is(err, errNoFile) {
		r.log.Info("SIGHUP: " + err.Error())
		return true
	}
	return err == nil
}

// ask asks await to reload, and returns what is wrong with the file. It may be called from any
// goroutine.
func (r *reloader) ask(ctx context.Context) error {
	done := make(chan error, 1)
	select {
	case r.asked <- done:
		return <-done
	case <-ctx.Done():
		return errors.New("memverbs is busy with a takeover, or stops")
	}
}

// reload reads the file, and makes the proxy use it if it is valid. If not, nothing changes, and it
// returns what is wrong.
func (r *reloader) reload() error {
	if r.path == "" {
		return errNoFile
	}
	err := r.try()
	if err != nil {
		for _, reason := range setting.Lines(err) {
			r.log.Error("the file can't be used: nothing has changed", "file", r.path, "reason", reason)
		}
		r.last.Store(&status.Reload{Failed: true, Succeeded: r.last.Load().Succeeded})
		return err
	}
	r.last.Store(&status.Reload{Succeeded: time.Now()})
	return nil
}

// snapshot is Snapshot of the proxy, with what is known of reloads and certificates.
func (r *reloader) snapshot(ctx context.Context) (*status.Snapshot, error) {
	s, err := r.server.Snapshot(ctx)
	if err == nil {
		s.Reload, s.Certificates = *r.last.Load(), r.reminder.certificates()
	}
	return s, err
}

// try reads the file and makes the proxy use it.
func (r *reloader) try() error {
	next, warnings, err := settings.ReadFile(r.path)
	if err != nil {
		return err
	}
	config, _, err := next.Config(r.log)
	if err != nil {
		return err
	}
	if err = r.checkFree(next); err != nil {
		return err
	}
	if err = limitClients(&config, r.log); err != nil {
		return err
	}
	if err = r.server.Reload(config); err != nil {
		return err
	}
	for _, w := range warnings {
		r.log.Warn(w.Text, "at", w.At)
	}
	r.logChanges(next)
	warnOfExposure(r.server, r.log)
	r.use(next)
	r.log.Info("reloaded", "file", r.path, "pools", len(config.Pools), "listeners", len(config.Listeners))
	return nil
}

// checkFree refuses new addresses that can't be listened at together with the present ones, which are
// closed only after the reload has succeeded.
func (r *reloader) checkFree(next *settings.All) error {
	before := r.listening()
	for _, l := range next.Listeners {
		if slices.Contains(before, l.Address) {
			continue
		}
		if mine := settings.Collision(l.Address, before); mine >= 0 {
			return fmt.Errorf("cannot listen on %v while memverbs listens at %v: remove that by a reload before, or restart memverbs", l.Address, before[mine])
		}
	}
	return nil
}

// listening returns the addresses that memverbs listens at. The one of the admin server is that from
// the start.
func (r *reloader) listening() []listen.Address {
	now := *r.now
	now.Admin = r.started.Admin
	return now.ListensAt()
}

// logChanges logs the settings of the process that a reload changes, and those that can't be changed while
// the proxy runs.
func (r *reloader) logChanges(next *settings.All) {
	var names []string
	for _, s := range setting.Changed(r.now.Texts, next.Texts) {
		if s.AtOnce {
			names = append(names, s.Name)
		}
	}
	if names != nil {
		r.log.Info("settings of the process changed", "settings", names)
	}
	for _, s := range setting.Changed(r.started.Texts, next.Texts) {
		if !s.AtOnce {
			r.log.Warn("a setting was changed that takes effect at the next start only", "setting", s.Name)
		}
	}
}
