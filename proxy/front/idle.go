package front

import (
	"time"

	"github.com/memverbs/memverbs/proxy/config"
)

// Clients that send nothing for their listener's IdleTimeout are disconnected. A loop checks all
// its clients several times within the shortest such time, so that a request only has to increment
// a counter.

// idleChecks is how often a client is checked within its IdleTimeout. It is disconnected if it was
// idle at each check, so at most IdleTimeout/idleChecks late.
const idleChecks = 8

// watchIdle starts the checks for idle clients of a setup, and stops those of the previous setup.
func (l *Loop) watchIdle(s *config.Setup) {
	if l.timers.idle != nil {
		l.timers.idle.Stop()
		l.timers.idle = nil
	}
	shortest := time.Duration(0)
	for _, at := range s.Config.Listeners {
		if at.IdleTimeout > 0 && (shortest == 0 || at.IdleTimeout < shortest) {
			shortest = at.IdleTimeout
		}
	}
	if shortest > 0 {
		l.timers.idleEvery = max(shortest/idleChecks, time.Millisecond)
		l.timers.idle = time.AfterFunc(l.timers.idleEvery, func() { l.Post(l.closeIdle) })
	}
}

// closeIdle disconnects the clients that have been idle for long enough.
func (l *Loop) closeIdle() {
	if l.timers.idle == nil {
		return
	}
	for c := range l.Clients.All {
		if limit := c.routing.IdleTimeout; limit > 0 && c.isIdle() {
			if c.input.idle += l.timers.idleEvery; c.input.idle >= limit {
				c.leave()
			}
		}
	}
	l.timers.idle.Reset(l.timers.idleEvery)
}

// isIdle reports whether nothing is outstanding for the client.
func (c *Client) isIdle() bool { return !c.outstanding() && c.departure.state < leaving }
