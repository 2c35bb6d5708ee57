package upstream

import "time"

// WaitLong makes u connect much later, as after many attempts, if that was to be later. Tests use it.
func (u *Upstream) WaitLong() (waits bool) {
	if waits = u.retry != nil && u.retry.Stop(); waits {
		u.retry.Reset(time.Hour)
		u.attempts = 16
	}
	return waits
}

// BeLongUp makes u take its connection for one that may be replaced when it is closed. Tests use it.
func (u *Upstream) BeLongUp() { u.upSince = time.Now().Add(-leastIdle) }
