package main

import (
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

// await waits for a signal to stop, and reloads at each SIGHUP until then.
func (s signals) await(r *reloader) (stop os.Signal) {
	for {
		select {
		case stop = <-s.stop:
			return stop
		case <-s.hangup:
			r.reload()
		}
	}
}
