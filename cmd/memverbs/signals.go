package main

import (
	"log/slog"
	"os"
	"os/signal"
	"syscall"
)

// stopSignals shut the program down gracefully.
var stopSignals = []os.Signal{syscall.SIGTERM, os.Interrupt}

// signals are the signals that a running proxy handles.
type signals struct{ stop, hangup <-chan os.Signal }

// handleSignals sets the handling of signals. SIGPIPE is ignored: it occurs if the
// reader of the log has ended, which must not end the proxy.
func handleSignals() signals {
	stop, hangup := make(chan os.Signal, 2), make(chan os.Signal, 1)
	signal.Notify(stop, stopSignals...)
	signal.Notify(hangup, syscall.SIGHUP)
	signal.Ignore(syscall.SIGPIPE)
	return signals{stop, hangup}
}

// answerHangups logs that SIGHUP, by which other servers reload their configuration,
// has no effect.
func (s signals) answerHangups(log *slog.Logger) {
	for range s.hangup {
		log.Info("SIGHUP: there is nothing to reload, as everything is set by flags; to change them, restart memverbs")
	}
}
