package execution

import (
	"time"

	"github.com/memverbs/memverbs/verbs/waiters"
)

// waits are the calls of an executor that wait until there is something for them, and the timer for what is to be done
// about them next.
type waits struct {
	table  *waiters.Table
	uptime func() int64         // as [verbs.Env.Uptime]
	post   func(fn func()) bool // as [Env.Post]
	timer  *time.Timer
	fires  int64      // when the timer does, by uptime; 0 if it does not
	last   int64      // when it has fired last
	over   *Execution // stands for calls that are answered without being made; nil before the first
}

// leastPause is the least time between two firings of the timer, in milliseconds, so that thousands of calls with times
// of their own don't keep the loop busy.
const leastPause = 2

// init makes s ready for a loop: what other loops add wakes its calls through awaited.
func (s *waits) init(awaited *waiters.Awaited, uptime func() int64, post func(fn func()) bool) {
	s.uptime, s.post = uptime, post
	s.table = waiters.NewTable(awaited, uptime, func(fn func()) {
		post(func() {
			fn()
			s.arm()
		})
	})
}

// hurry ends the waits of a caller.
func (s *waits) hurry(c *Caller) {
	for i := len(c.waiting) - 1; i >= 0; i-- { // those that end leave the list
		if c.attention == gone {
			s.table.Drop(c.waiting[i])
		} else {
			s.table.Hurry(c.waiting[i])
		}
	}
}

// arm sets the timer for what the table has to do next.
func (s *waits) arm() {
	at, any := s.table.Next()
	if !any {
		return
	}
	if at = max(at, s.last+leastPause); s.fires > 0 && s.fires <= at {
		return
	}
	s.fires = at
	in := time.Duration(max(at-s.uptime(), 1)) * time.Millisecond
	if s.timer == nil {
		s.timer = time.AfterFunc(in, func() { s.post(s.pass) })
	} else {
		s.timer.Reset(in)
	}
}

// pass is called when the timer has fired.
func (s *waits) pass() {
	s.fires, s.last = 0, s.uptime()
	s.table.Pass()
	s.arm()
}

// stop stops the timer for good.
func (s *waits) stop() {
	if s.timer != nil {
		s.timer.Stop()
	}
}
