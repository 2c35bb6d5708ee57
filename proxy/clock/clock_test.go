package clock

import (
	"testing"
	"time"
)

// However late a clock is read, a deadline passes only after it has been read twice: what
// has come meanwhile is looked at in between.
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
