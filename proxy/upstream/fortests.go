package upstream

import "time"

// WaitLong makes u wait much longer, as after many attempts, if it waits before connecting. It
// reports whether u waits. Tests use it.
func (u *Upstream) WaitLong() (waits bool) {
	if waits = u.retry != nil && u.retry.Stop(); waits {
		u.retry.Reset(time.Hour)
		u.attempts = 16
	}
	return waits
}

// BeLongUp makes u treat its connection as one that has been up for leastIdle. Tests use it.
func (u *Upstream) BeLongUp() { u.upSince = time.Now().Add(-leastIdle) }
