package embedded

import (
	"math"
	"time"

	"github.com/maypok86/otter/v2"
)

const (
	// never is the expiry of an item that never expires.
	never = 0
	// past is the expiry of an item that has expired already.
	past = 1
	// maxRelative is the largest exptime, in seconds, that is relative to now. A larger
	// one counts from 1970.
	maxRelative = 60 * 60 * 24 * 30
)

// systemClock counts from 1970. It is monotonic: it ignores changes of the system's
// time.
type systemClock struct {
	start time.Time
	nanos int64 // start since 1970
}

func newSystemClock() *systemClock {
	now := time.Now()
	return &systemClock{start: now, nanos: now.UnixNano()}
}

func (c *systemClock) NowNano() int64 { return c.nanos + int64(time.Since(c.start)) }

func (c *systemClock) Tick(every time.Duration) <-chan time.Time { return time.Tick(every) }

// now returns the time as memcached sees it: in whole seconds.
func (s *Store) now() int64 { return s.clock.NowNano() / int64(time.Second) }

// expiry converts a client's exptime to a second: 0 is never, a negative one has
// passed, one up to 30 days is relative to now, and a larger one counts from 1970. As
// in memcached, only 32 bits count.
func (s *Store) expiry(given int64) int64 {
	seconds := int64(int32(given))
	switch {
	case seconds == 0:
		return never
	case seconds < 0:
		return past
	case seconds <= maxRelative:
		return s.now() + seconds
	case seconds <= s.now():
		return past
	}
	return seconds
}

// remaining tells otter how long an item has left. Otter ignores durations that are not
// positive, so an item that expires while it is being stored gets a nanosecond.
func remaining(e otter.Entry[string, *item]) time.Duration {
	if e.Value.expires == never {
		return math.MaxInt64
	}
	end := e.Value.expires * int64(time.Second)
	return time.Duration(max(1, end-e.SnapshotAtNano))
}
