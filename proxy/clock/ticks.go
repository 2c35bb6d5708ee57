// Package clock has the coarse clock by which an event loop notices time-outs. Reading it
// costs almost nothing, and it stops while nothing waits.
package clock

import "time"

// Clock counts ticks. It may be used on its loop only.
type Clock struct {
	Ticks uint32 // so far; wraps around, so compare ticks by Passed

	tick    time.Duration
	counted time.Time // the time up to which ticks have been counted
	timer   *time.Timer
	ticking bool
	onTick  func() (waiting bool)
}

// New returns a clock whose ticks have the given length. post calls a function on the
// loop. onTick is called at each tick, and reports whether the clock should keep running.
func New(tick time.Duration, post func(fn func()) bool, onTick func() (waiting bool)) *Clock {
	c := &Clock{tick: tick, onTick: onTick}
	c.timer = time.AfterFunc(time.Hour, func() { post(c.next) })
	c.timer.Stop()
	return c
}

// Start starts the clock, which runs until onTick returns false. Call it before setting a
// deadline.
func (c *Clock) Start() {
	if !c.ticking {
		c.ticking = true
		c.read()
		c.timer.Reset(c.tick)
	}
}

// Stop stops the clock for good.
func (c *Clock) Stop() { c.timer.Stop() }

func (c *Clock) next() {
	c.read()
	c.ticking = false
	if c.onTick() {
		c.Start()
	}
}

// maxStep is how many ticks are counted at once, however much time has passed. A loop that was busy
// for long has not read its upstreams' answers yet, which must not be mistaken for silence. A
// deadline is always more than maxStep ticks away, and the loop polls its sockets between two
// readings of the clock, so answers that have arrived are read before the deadline passes.
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

// maxTicks is the longest time until a deadline, in ticks.
const maxTicks = 1 << 30

// After returns the tick of a deadline d from now.
func (c *Clock) After(d time.Duration) uint32 { return c.Ticks + c.Span(d) }

// Span returns the number of ticks after which d has certainly passed.
func (c *Clock) Span(d time.Duration) uint32 { return uint32(min(d/c.tick, maxTicks)) + maxStep }

// Passed reports whether tick t has come.
func (c *Clock) Passed(t uint32) bool { return int32(c.Ticks-t) >= 0 }
