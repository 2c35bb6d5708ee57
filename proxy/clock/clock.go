// Package clock has the coarse clock of an event loop, by which it sees that something has
// been waited for too long. It costs next to nothing to read, and stands still while
// nothing is waited for.
package clock

import "time"

// Clock counts ticks. It is for its loop only.
type Clock struct {
	Ticks uint32 // so far; wraps around, so ticks are compared by Passed

	tick    time.Duration
	counted time.Time // the time up to which ticks have been counted
	timer   *time.Timer
	ticking bool
	onTick  func() (waiting bool)
}

// New returns a clock of so long ticks. post has a function called on the loop. onTick is
// called with each tick, and reports whether the clock is to go on.
func New(tick time.Duration, post func(fn func()) bool, onTick func() (waiting bool)) *Clock {
	c := &Clock{tick: tick, onTick: onTick}
	c.timer = time.AfterFunc(time.Hour, func() { post(c.next) })
	c.timer.Stop()
	return c
}

// Start has the clock go, until nothing is waited for any more. It is to be called before
// a deadline is set.
func (c *Clock) Start() {
	if !c.ticking {
		c.ticking = true
		c.read()
		c.timer.Reset(c.tick)
	}
}

// Stop ends the clock.
func (c *Clock) Stop() { c.timer.Stop() }

func (c *Clock) next() {
	c.read()
	c.ticking = false
	if c.onTick() {
		c.Start()
	}
}

// maxStep is how many ticks may pass at once, however much time has. A loop that
// has been busy for long finds its clock late, and what upstreams have answered
// meanwhile not read yet: that must not be mistaken for silence. Between two
// ticks the event loop polls its sockets, so a deadline, which is more than one
// step away, passes only after what was there has been read.
const maxStep = 2

// read brings Ticks up to date.
func (c *Clock) read() {
	now := time.Now()
	n := now.Sub(c.counted) / c.tick
	c.counted = c.counted.Add(n * c.tick)
	if n > maxStep {
		n, c.counted = maxStep, now
	}
	c.Ticks += uint32(n)
}

// maxTicks is the longest that can be waited for, in ticks.
const maxTicks = 1 << 30

// After returns the tick at which d will have passed.
func (c *Clock) After(d time.Duration) uint32 { return c.Ticks + c.Span(d) }

// Span returns after how many ticks d will have passed.
func (c *Clock) Span(d time.Duration) uint32 { return uint32(min(d/c.tick, maxTicks)) + maxStep }

// Passed reports whether tick t has come.
func (c *Clock) Passed(t uint32) bool { return int32(c.Ticks-t) >= 0 }
