package execution

import (
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/catalog"
	"github.com/memverbs/memverbs/verbs/waiters"
)

// waits are the calls of an executor that wait until there is something for them.
type waits struct {
	x     *Executor
	table *waiters.Table
	timer *time.Timer
	fires int64      // when the timer does, by [verbEnv.Uptime]; 0 if it does not
	last  int64      // when it has fired last
	over  *Execution // stands for calls that are answered without being made; nil before the first
}

// leastPause is the least time between two firings of the timer, in milliseconds, so that thousands of calls with times
// of their own don't keep the loop busy.
const leastPause = 2

func newWaits(x *Executor) waits {
	w := waits{x: x}
	w.table = waiters.NewTable(x.Awaited, x.env.Uptime, func(fn func()) {
		x.Post(func() {
			fn()
			x.waits.arm()
		})
	})
	return w
}

// await begins a call that may wait.
func (s *waits) await(req *protocol.Request, owner *pool.Member, c *Caller, to Listener, slot uint32) {
	verb := catalog.Of(req)
	w := newWaitingCall(req, verb, owner, c, to, slot)
	w.executor = s.x
	w.since = s.x.Time.Stamp()
	c.waiting = append(c.waiting, w)
	s.x.Account.Take(w.memory())
	s.table.Await(&w.Waiter, w, waiters.Request{Key: w.req.Key, Class: w.class(), Alike: w.alike(), All: verb.ReadOnly, For: int64(req.Wait)})
	s.arm()
}

// hurry ends the waits of a caller.
func (s *waits) hurry(c *Caller) {
	for i := len(c.waiting) - 1; i >= 0; i-- { // those that end leave the list
		s.table.Hurry(&c.waiting[i].Waiter)
	}
}

// hurryAll ends all waits.
func (s *waits) hurryAll() { s.table.HurryAll() }

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
	in := time.Duration(max(at-s.x.env.Uptime(), 1)) * time.Millisecond
	if s.timer == nil {
		s.timer = time.AfterFunc(in, func() { s.x.Post(s.pass) })
	} else {
		s.timer.Reset(in)
	}
}

// pass is called when the timer has fired.
func (s *waits) pass() {
	s.fires, s.last = 0, s.x.env.Uptime()
	s.table.Pass()
	s.arm()
}

// stop stops the timer for good.
func (s *waits) stop() {
	if s.timer != nil {
		s.timer.Stop()
	}
}

// answerer returns an execution to answer a call with that is not made.
func (s *waits) answerer() *Execution {
	if s.over == nil {
		s.over = &Execution{executor: s.x, routine: verbs.NewRoutine(&s.x.env)}
	}
	return s.over
}

// feeds wakes the calls that wait for what the verb may have added.
func (r *Execution) feeds() {
	if !r.Verb.ReadOnly && !r.Verb.Waits && !r.Verb.Shrinks {
		r.executor.Awaited.Fed(r.key)
	}
}
