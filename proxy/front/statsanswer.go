package front

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
func (s *Shared) collect(then func(report.Report)) {
	var mu sync.Mutex
	var all report.Report
	s.onAll(func(l *Loop) {
		mu.Lock()
		defer mu.Unlock()
		all.Add(l.report())
	}, func() {
		s.addCounts(&all.Counts)
		then(all)
	})
}

// resetStats resets the counts of all loops and then calls then, on one of them.
func (s *Shared) resetStats(then func()) {
	s.Loops[0].Post(s.Polls.Known.Reset)
	s.onAll((*Loop).resetStats, then)
}

// onAll calls fn on every loop, and then calls then, on the last of them.
func (s *Shared) onAll(fn func(*Loop), then func()) {
	var waiting atomic.Int64
	waiting.Store(int64(len(s.Loops)))
	s.EachLoop(func(l *Loop) {
		fn(l)
		if waiting.Add(-1) == 0 {
			then()
		}
	})
}

// addCounts adds the counts that are not kept by a loop.
func (s *Shared) addCounts(to *status.Counts) {
	to[status.Rejected] += s.Rejected.Load()
	to[status.Unaccepted] += s.Unaccepted.Load()
	to[status.LogLost] += s.Config.LogLinesLost()
	to[status.FullHandshakes] += s.Handshakes.Full.Load()
	to[status.ResumedHandshakes] += s.Handshakes.Resumed.Load()
	to[status.FailedHandshakes] += s.Handshakes.Failed.Load()
}

// answerStats answers stats with an argument, empty for none, for a client of a listener;
// answer is called later on any goroutine. It returns false if there is no such argument.
func (s *Shared) answerStats(at *config.Socket, what string, answer func(text string)) bool {
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

// tell answers stats with a known argument.
func (s *Shared) tell(what report.Question, answer func(text string)) {
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
		first := s.Loops[0]
		first.Post(func() {
			s.Polls.Poll(first.net, first.membersAt(what.At), what, func(p *report.Poll) {
				if report.OfServers[what.What] {
					answer(p.Text)
				} else {
					collect(p)
				}
			})
		})
	}
}

// process returns what the answers say about the process.
func (s *Shared) process() report.Process {
	return report.Process{
		Version: s.Config.Version, Started: s.Started, Setup: s.Setup.Load(), Loops: len(s.Loops), Draining: s.Draining.Load(),
		Memory: s.Budget.Limit, ReadCache: s.Config.ReadCache, Slow: s.Config.Slow,
	}
}

// errNoAnswer is the error of Snapshot if an event loop hangs.
var errNoAnswer = errors.New("not all event loops have answered in time")

// Snapshot returns the state of the proxy, as [proxy.Server.Snapshot] does. It returns an error if the event loops have not
// answered when ctx is done. It must be called between Open and the end of Shutdown.
func (s *Shared) Snapshot(ctx context.Context) (*status.Snapshot, error) {
	answer := make(chan report.Report, 1)
	s.collect(func(all report.Report) { answer <- all })
	select {
	case all := <-answer:
		return all.Snapshot(s.process()), nil
	case <-ctx.Done():
		return nil, errNoAnswer
	}
}

// EachLoop calls fn on every loop, without waiting.
func (s *Shared) EachLoop(fn func(*Loop)) {
	for _, l := range s.Loops {
		l.Post(func() { fn(l) })
	}
}

// OnLoops calls fn on every loop that runs, and waits for that.
func (s *Shared) OnLoops(fn func(*Loop)) {
	var called sync.WaitGroup
	for _, l := range s.Loops {
		called.Add(1)
		call := func() {
			fn(l)
			called.Done()
		}
		if !l.Post(call) {
			called.Done()
		}
	}
	called.Wait()
}

// SumOfLoops calls of on each loop, waits for that, and returns the sum.
func (s *Shared) SumOfLoops(of func(*Loop) int) int {
	var sum atomic.Int64
	s.OnLoops(func(l *Loop) { sum.Add(int64(of(l))) })
	return int(sum.Load())
}
