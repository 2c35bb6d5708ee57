package main

import (
	"log/slog"
	"os"
	"os/signal"
	"syscall"
)

// stopSignals end the program in good order.
var stopSignals = []os.Signal{syscall.SIGTERM, os.Interrupt}

// signals are those that reach a proxy while it serves.
type signals struct{ stop, hangup <-chan os.Signal }

// handleSignals says what signals do from now on. SIGPIPE does nothing: it comes
// when whoever read the log is gone, and the proxy goes on without.
func handleSignals() signals {
	stop, hangup := make(chan os.Signal, 2), make(chan os.Signal, 1)
	signal.Notify(stop, stopSignals...)
	signal.Notify(hangup, syscall.SIGHUP)
	signal.Ignore(syscall.SIGPIPE)
	return signals{stop, hangup}
}

// answerHangups logs that SIGHUP, which has other servers read their
// configuration again, has nothing to do here.
func (s signals) answerHangups(log *slog.Logger) {
	for range s.hangup {
		log.Info("SIGHUP: there is nothing to reload, as everything is set by flags; to change them, start memverbs anew")
	}
}
