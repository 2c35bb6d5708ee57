package embedded

import (
	"math"
	"time"

	"github.com/maypok86/otter/v2"
)

const (
	// never is the time at which an item expires that does not.
	never = 0
	// past is the time of an item that has expired before it was stored.
	past = 1
	// maxRelative is the largest time, in seconds, that a client can give as
	// counted from now. A larger one counts from 1970.
	maxRelative = 60 * 60 * 24 * 30
)

// systemClock counts from 1970, and goes on evenly if the system's time is
// set.
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

// expiry turns a time that a client gave into the second it means: 0 is
// never, a negative one has passed, one up to 30 days is from now, and a
// larger one from 1970. memcached keeps 32 bits of it.
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

// remaining tells otter how long an item has left. Otter ignores what is not
// positive, so an item whose time ends while it is stored gets the least there
// is.
func remaining(e otter.Entry[string, *item]) time.Duration {
	if e.Value.expires == never {
		return math.MaxInt64
	}
	end := e.Value.expires * int64(time.Second)
	return time.Duration(max(1, end-e.SnapshotAtNano))
}
