//go:build linux

package load

import "time"

var started = time.Now()

// Now returns the time in nanoseconds, on a clock that only goes forward. Windows are
// times on this clock.
func Now() int64 { return int64(time.Since(started)) }

// Window is the time that is measured, on the clock of [Now]. The load begins
// before it, and ends when all requests that were sent in it are answered.
type Window struct{ From, Until int64 }

func (w Window) has(t int64) bool { return w.From <= t && t < w.Until }
