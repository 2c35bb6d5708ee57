package service

import (
	"os"
	"os/signal"
	"syscall"
)

// stopSignals shut the program down gracefully.
var stopSignals = []os.Signal{syscall.SIGTERM, os.Interrupt}

// signals are the signals that a running proxy handles.
type signals struct{ stop, hangup, succeed <-chan os.Signal }

// handleSignals sets the handling of signals. SIGPIPE is ignored: it occurs if the
// reader of the log has ended, which must not end the proxy.
func handleSignals() signals {
	stop, hangup, succeed := make(chan os.Signal, 2), make(chan os.Signal, 1), make(chan os.Signal, 1)
	signal.Notify(stop, stopSignals...)
	signal.Notify(hangup, syscall.SIGHUP)
	signal.Notify(succeed, syscall.SIGUSR2)
	signal.Ignore(syscall.SIGPIPE)
	return signals{stop, hangup, succeed}
}

// await waits for a signal to stop, or until a successor serves clients. Meanwhile it reloads at
// each SIGHUP, and when the admin server asks for it.
func (s signals) await(r *reloader, successor *succession) (stop os.Signal) {
	for {
		select {
		case stop = <-s.stop:
			return stop
		case <-s.hangup:
			successor.systemd.reload(r.hangup)
		case done := <-r.asked:
			var err error
			successor.systemd.reload(func() bool {
				err = r.reload()
				r.server.LookAgain()
				return err == nil
			})
			done <- err
		case by := <-s.succeed:
			done, stopped := successor.try(s.stop)
			if done {
				s.passOn(successor)
				return by
			}
			if stopped != nil {
				return stopped
			}
		}
	}
}

// passOn sends the successor a SIGHUP that has come during the takeover, because the successor may
// have read the file earlier.
func (s signals) passOn(successor *succession) {
	select {
	case <-s.hangup:
		_ = syscall.Kill(successor.pid, syscall.SIGHUP)
	default:
	}
}

// endAtNext makes the next signal to stop end the process at once. If there is a successor, the
// first such signal is ignored: systemd sends it to all processes of a service, it is meant for the
// successor, and this process is stopping anyway.
func (s signals) endAtNext(successor *succession) {
	if successor.pid == 0 {
		signal.Reset(stopSignals...)
		return
	}
	go func() {
		<-s.stop
		signal.Reset(stopSignals...)
	}()
}
