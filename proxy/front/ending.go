package front

import (
	"time"

	"github.com/memverbs/memverbs/proxy/execution"
)

// Early returns how many of the connected clients had connected before clients were dismissed.
func (l *Loop) Early() int { return len(l.Clients.All) - l.Clients.late }

// InFlight returns how many requests to upstreams and verbs are in flight for which somebody may wait: not those to shadows.
func (l *Loop) InFlight() (n int) {
	for _, u := range l.Pools.Members {
		n += u.InFlight() - int(u.Shadowed.First)
	}
	l.eachExecutor(func(x *execution.Executor) { n += x.Running() })
	return n
}

// Drain makes every client leave as soon as nothing is outstanding for it.
func (l *Loop) Drain() {
	for c := range l.Clients.All {
		c.dismiss()
	}
}

// Shut fails everything that is still running, so that nothing waits for it. Answers that wait for the end of the turn are sent
// before. It returns how many clients have not got all that they have asked for.
func (l *Loop) Shut() (cut int) {
	l.net.WriteOn()
	l.net.Flush()
	for c := range l.Clients.All {
		if c.departure.state < lingering && (c.midRequest() || c.outstanding()) {
			cut++
		}
		c.abort()
	}
	for _, u := range l.Pools.Members {
		u.First.Fail("is not asked any more: the proxy is shutting down")
	}
	l.eachExecutor((*execution.Executor).Shut)
	return cut
}

// Close releases the loop's resources after it has ended.
func (l *Loop) Close() {
	l.clock.Stop()
	for _, timer := range []*time.Timer{l.timers.idle, l.timers.probing} {
		if timer != nil {
			timer.Stop()
		}
	}
	for _, u := range l.Pools.Members {
		u.Close()
	}
	l.eachExecutor((*execution.Executor).Close)
}
