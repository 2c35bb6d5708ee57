package main

import (
	"log/slog"

	"github.com/memverbs/memverbs/proxy"
)

// reloader makes a running proxy use its file again.
type reloader struct {
	path   string // of the file; empty if there is none
	now    *settings
	server *proxy.Server
	log    *slog.Logger
}

// reload reads the file, and makes the proxy use it if it is right. If not, nothing changes, and
// it returns false.
func (r *reloader) reload() bool {
	if r.path == "" {
		r.log.Info("SIGHUP: there is nothing to reload, as everything is set by flags; to change settings while memverbs runs, start it with --config")
		return true
	}
	err := r.try()
	if err != nil {
		r.log.Error("the file can't be used: nothing has changed", "file", r.path, "reason", shortened(err))
	}
	return err == nil
}

// try is reload, and returns what is wrong with the file.
func (r *reloader) try() error {
	next, warnings, err := readFile(r.path)
	if err != nil {
		return err
	}
	config, _, err := next.config()
	if err != nil {
		return err
	}
	limitClients(&config, r.log)
	if err = r.server.Reload(config); err != nil {
		return err
	}
	for _, w := range warnings {
		r.log.Warn(w.text, "at", w.at)
	}
	if next.logLevel != r.now.logLevel || next.logFormat != r.now.logFormat {
		r.log.Warn("a setting was changed that takes effect at the next start only", "setting", "log-level or log-format")
	}
	if next.admin != r.now.admin {
		r.log.Warn("a setting was changed that takes effect at the next start only", "setting", "admin")
	}
	warnOfExposure(r.server.Addrs(), r.log)
	r.now = next
	r.log.Info("reloaded", "file", r.path, "pools", len(config.Pools), "listeners", len(config.Listeners))
	return nil
}
