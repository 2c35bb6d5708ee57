//go:build linux

package load

import (
	"slices"
	"testing"
)

// dues are the times of the first n batches of all threads together.
func dues(s Shape, n int) (times []int64) {
	for thread := range s.Threads {
		schedule := newSchedule(s, thread, 1_000)
		for range n / s.Threads {
			times = append(times, schedule.due())
			schedule.next()
		}
	}
	slices.Sort(times)
	return times
}

func TestScheduleIsEven(t *testing.T) {
	for _, s := range []Shape{
		{Pipeline: 1, Rate: 1e6, Threads: 1},
		{Pipeline: 1, Rate: 1e6, Threads: 3},
		{Pipeline: 16, Rate: 16e6, Threads: 2},
	} {
		for i, due := range dues(s, 600) {
			if want := int64(1_000 + 1_000*i); due != want {
				t.Fatalf("%+v: batch %d is due at %d, not %d", s, i, due, want)
			}
		}
	}
}

// A rate whose interval is no whole number of nanoseconds is kept in the long run.
func TestScheduleDoesNotDrift(t *testing.T) {
	s := newSchedule(Shape{Pipeline: 1, Rate: 70_000, Threads: 1}, 0, 0)
	s.given = 70_000 * 60
	if got, want := s.due(), int64(60e9); got < want-1 || got > want+1 {
		t.Errorf("after a minute's batches the next is due at %d", got)
	}
}
