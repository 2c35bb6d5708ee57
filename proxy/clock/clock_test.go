package clock

import (
	"testing"
	"time"
)

// However late the clock is read, a deadline passes only after two readings. In between,
// the loop reads what has arrived.
func TestDeadlineOutlastsLateTick(t *testing.T) {
	c := New(time.Millisecond, func(func()) bool { return true }, func() bool { return true })
	defer c.Stop()
	c.Start()
	deadline := c.After(time.Millisecond)
	for n := range 2 {
		if c.Passed(deadline) {
			t.Fatalf("the deadline has passed after %d ticks", n)
		}
		c.counted = c.counted.Add(-time.Hour)
		c.next()
	}
	if !c.Passed(deadline) {
		t.Errorf("the deadline, tick %d, has not passed at tick %d", deadline, c.Ticks)
	}
}
