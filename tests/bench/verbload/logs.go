//go:build linux

package verbload

import (
	"fmt"
	"strings"
	"time"
)

// Logs are event logs to work on. Keys must be at least 1.
type Logs struct {
	Keys   int           // how many logs there are
	Size   int           // bytes of an event, at least 8
	Events int           // how many each has in the beginning
	Span   time.Duration // the time over which these are spread, up to now
}

// Key returns the name of a log.
func (l Logs) Key(i int) string { return fmt.Sprintf("log:%07d", i) }

// event returns the data of an event: its own number, over and over.
func (l Logs) event(i int) string {
	return strings.Repeat(fmt.Sprintf("%07d ", i), l.Size/8+1)[:l.Size]
}

// times returns when the events were, in milliseconds: the last of them now, and
// no two at the same time.
func (l Logs) times(now time.Time) []int64 {
	times := make([]int64, l.Events)
	step := max(1, l.Span.Milliseconds()/int64(max(1, l.Events)))
	for i := range times {
		times[i] = now.UnixMilli() - step*int64(l.Events-1-i)
	}
	return times
}

// kinds is how many events are drawn from to put.
const kinds = 100
