package proxy

import "time"

// Clients that send nothing for long are disconnected, if their listener says so. A loop
// looks at all its clients several times within the shortest such time; what a request costs
// is a counter.

// idleChecks is how often a client is looked at within its IdleTimeout. It is disconnected when
// it was idle each time, so at most an idleChecks-th of that time late.
const idleChecks = 8

// watchIdle starts looking for idle clients, and stops what was started for another setup.
func (l *loop) watchIdle(s *setup) {
	if l.idleTimer != nil {
		l.idleTimer.Stop()
		l.idleTimer = nil
	}
	shortest := time.Duration(0)
	for _, at := range s.config.Listeners {
		if at.IdleTimeout > 0 && (shortest == 0 || at.IdleTimeout < shortest) {
			shortest = at.IdleTimeout
		}
	}
	if shortest > 0 {
		l.idleEvery = max(shortest/idleChecks, time.Millisecond)
		l.idleTimer = time.AfterFunc(l.idleEvery, func() { l.post(l.closeIdle) })
	}
}

// closeIdle disconnects the clients that have been idle for long enough.
func (l *loop) closeIdle() {
	if l.idleTimer == nil {
		return
	}
	for c := range l.clients {
		if limit := c.routing.idleTimeout; limit > 0 && c.isIdle() {
			if c.input.idle += l.idleEvery; c.input.idle >= limit {
				c.leave()
			}
		}
	}
	l.idleTimer.Reset(l.idleEvery)
}

// isIdle reports whether nothing is outstanding for the client.
func (c *client) isIdle() bool { return !c.outstanding() && c.departure.state < leaving }
