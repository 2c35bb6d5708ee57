//go:build linux

package load

import (
	"fmt"
	"time"
)

// schedule says when the batches of an open loop are due: at equal intervals,
// not counted from when the one before was sent.
type schedule struct {
	first    int64   // when the first is due
	interval float64 // nanoseconds
	given    int     // how many have been sent
}

// newSchedule returns the schedule of the thread with that index, one of
// several which share the rate of the shape. Theirs interleave.
func newSchedule(s Shape, thread int, from int64) *schedule {
	interval := 1e9 / s.Rate * float64(s.Pipeline)
	return &schedule{
		first:    from + int64(interval*float64(thread)),
		interval: interval * float64(s.Threads),
	}
}

// due returns when the next batch is.
func (s *schedule) due() int64 { return s.first + int64(s.interval*float64(s.given)) }

// next goes on to the batch after it.
func (s *schedule) next() { s.given++ }

// sendDue sends what an open loop has due, and returns how long there is nothing
// more to send.
func (w *worker) sendDue() (time.Duration, error) {
	if w.schedule == nil {
		return patience, nil
	}
	now := Now()
	if now > w.window.Until+int64(patience) {
		return 0, fmt.Errorf("%v after the end, requests that were due before are not all answered: the rate is too high", patience)
	}
	for due := w.schedule.due(); due < w.window.Until && !w.idle.empty(); due = w.schedule.due() {
		if due > now {
			if now = Now(); due > now {
				return time.Duration(due - now), nil
			}
		}
		w.schedule.next()
		if err := w.next(&w.conns[w.idle.pop()], due); err != nil {
			return 0, err
		}
	}
	return patience, nil
}
