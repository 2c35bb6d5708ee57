package proxy

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/report"
	"github.com/memverbs/memverbs/proxy/status"
)

// collect gathers the reports of all loops and calls then, on one of them.
func (s *Server) collect(then func(report.Report)) {
	var mu sync.Mutex
	var all report.Report
	waiting := len(s.loops)
	s.eachLoop(func(l *loop) {
		mu.Lock()
		defer mu.Unlock()
		all.Add(l.report())
		if waiting--; waiting == 0 {
			s.addCounts(&all.Counts)
			then(all)
		}
	})
}

// resetStats resets the counts of all loops and then calls then, on one of them.
func (s *Server) resetStats(then func()) {
	var waiting atomic.Int64
	waiting.Store(int64(len(s.loops)))
	s.loops[0].post(s.polls.Known.Reset)
	s.eachLoop(func(l *loop) {
		l.resetStats()
		if waiting.Add(-1) == 0 {
			then()
		}
	})
}

// addCounts adds what is not counted on the loops.
func (s *Server) addCounts(to *status.Counts) {
	to[status.Rejected] += s.rejected.Load()
	to[status.Unaccepted] += s.unaccepted.Load()
	to[status.LogLost] += s.config.LogLinesLost()
	to[status.FullHandshakes] += s.handshakes.Full.Load()
	to[status.ResumedHandshakes] += s.handshakes.Resumed.Load()
	to[status.FailedHandshakes] += s.handshakes.Failed.Load()
}

// answerStats answers stats with an argument, empty for none, for a client of a listener;
// answer is called later on any goroutine. It returns false if there is no such argument.
func (s *Server) answerStats(at *config.Socket, what string, answer func(text string)) bool {
	if what != "reset" && !report.Known(what) {
		return false
	}
	s.desk.Ask(report.Question{At: at, What: what}, answer, func(all map[report.Question][]func(text string)) {
		for what, answers := range all {
			s.tell(what, func(text string) {
				for _, answer := range answers {
					answer(text)
				}
			})
		}
	})
	return true
}

// tell answers stats with an argument that there is.
func (s *Server) tell(what report.Question, answer func(text string)) {
	collect := func(p *report.Poll) {
		s.collect(func(all report.Report) { answer(all.Answer(what, s.process(), p)) })
	}
	switch text := report.Unavailable[what.What]; {
	case text != "":
		answer(text)
	case what.What == "reset":
		s.resetStats(func() { answer("RESET\r\n") })
	case !report.AsksUpstreams(what.What):
		collect(nil)
	default:
		first := s.loops[0]
		first.post(func() {
			s.polls.Poll(first.net, first.membersAt(what.At), what, func(p *report.Poll) {
				if report.OfServers[what.What] {
					answer(p.Text)
				} else {
					collect(p)
				}
			})
		})
	}
}

// process returns what the answers tell of the process.
func (s *Server) process() report.Process {
	return report.Process{
		Version: s.config.Version, Started: s.started, Setup: s.setup.Load(), Loops: len(s.loops), Draining: s.draining.Load(),
		Memory: s.budget.Limit, ReadCache: s.config.ReadCache, Slow: s.config.Slow,
	}
}

// errNoAnswer is the error of Snapshot if an event loop hangs.
var errNoAnswer = errors.New("not all event loops have answered in time")

// Snapshot returns the state of the proxy. It returns an error if the event loops have not
// answered when ctx is done. It must be called between Start and the end of Shutdown.
func (s *Server) Snapshot(ctx context.Context) (*status.Snapshot, error) {
	answer := make(chan report.Report, 1)
	s.collect(func(all report.Report) { answer <- all })
	select {
	case all := <-answer:
		return all.Snapshot(s.process()), nil
	case <-ctx.Done():
		return nil, errNoAnswer
	}
}
