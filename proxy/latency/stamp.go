package latency

import "time"

// Clock tells an event loop the time. It reads each of the system's clocks at most once between
// two calls of Forget, so what happens in one callback happens at one time.
type Clock struct {
	start time.Time
	now   int64 // microseconds since start
	known bool
	wall  int64 // milliseconds since 1970; 0 if it is not known
}

// NewClock returns a clock that starts now.
func NewClock() *Clock { return &Clock{start: time.Now()} }

// Forget makes the next reading a new one. It is called at the end of every callback.
func (c *Clock) Forget() { c.known, c.wall = false, 0 }

// Micros returns the microseconds since the clock was started.
func (c *Clock) Micros() int64 {
	if !c.known {
		c.read()
	}
	return c.now
}

// read is not inlined, so that its callers, which rarely call it, are.
//
//go:noinline
func (c *Clock) read() { c.now, c.known = time.Since(c.start).Microseconds(), true }

// Wall returns what time of the day it is, in milliseconds since 1970.
func (c *Clock) Wall() int64 {
	if c.wall == 0 {
		c.wall = time.Now().UnixMilli()
	}
	return c.wall
}

// Stamp returns the time as a stamp.
func (c *Clock) Stamp() Stamp {
	if !c.known {
		c.read()
	}
	return Stamp(c.now)
}

// Stamp is a time in microseconds. It wraps around after 71 minutes, so only differences of
// stamps mean something.
type Stamp uint32

// Since returns the microseconds from earlier to s.
func (s Stamp) Since(earlier Stamp) uint32 { return uint32(s - earlier) }

// Duration converts microseconds.
func Duration(micros uint32) time.Duration { return time.Duration(micros) * time.Microsecond }
