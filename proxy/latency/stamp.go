package latency

import "time"

// Clock tells an event loop the time. It reads the system's clock at most once between two calls of Forget, so what happens in
// one callback happens at one time.
type Clock struct {
	start  time.Time
	now    int64 // microseconds since start
	known  bool
	wall   int64 // time of the day when now was wallAt, in microseconds since 1970; 0 if it was not read yet
	wallAt int64
}

// wallFor is how long the time of the day is told by the clock that now is from, in microseconds, before it is read again, as
// somebody may have set it.
const wallFor = 1000

// NewClock returns a clock that starts now.
func NewClock() *Clock { return &Clock{start: time.Now()} }

// Forget makes the next reading a new one. It is called at the end of every callback.
func (c *Clock) Forget() { c.known = false }

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

// Wall returns what time of the day it was when Micros was read, in milliseconds since 1970.
func (c *Clock) Wall() int64 {
	now := c.Micros()
	if c.wall == 0 || now-c.wallAt >= wallFor {
		read := time.Now()
		c.wall, c.wallAt = read.UnixMicro(), read.Sub(c.start).Microseconds()
	}
	return (c.wall + now - c.wallAt) / 1000
}

// Stamp returns the time as a stamp.
func (c *Clock) Stamp() Stamp { return Stamp(c.Micros()) }

// Stamp is a time in microseconds. It wraps around after 71 minutes, so only differences of
// stamps mean something.
type Stamp uint32

// Since returns the microseconds from earlier to s.
func (s Stamp) Since(earlier Stamp) uint32 { return uint32(s - earlier) }

// Duration converts microseconds.
func Duration(micros uint32) time.Duration { return time.Duration(micros) * time.Microsecond }
