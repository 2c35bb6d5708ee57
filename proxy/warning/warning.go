// Package warning limits how often the log repeats a warning that clients can cause as often as
// they like.
package warning

import (
	"cmp"
	"log/slog"
	"sync"
	"time"
)

// Pause is the least time between two lines of a [Limited] that does not say another.
const Pause = time.Second

// Limited is a warning of one kind. At most one line is logged in each pause, with the number of
// others since the previous line. Its zero value is ready for use. It is not safe for concurrent use.
type Limited struct {
	// Pause is the least time between two lines; 0 means [Pause].
	Pause time.Duration

	logged time.Time // time of the last line
	more   uint64    // other warnings since then
}

// Shared is a [Limited] for several goroutines.
type Shared struct {
	mu sync.Mutex
	of Limited
}

// Every returns a [Shared] whose lines are at least pause apart.
func Every(pause time.Duration) *Shared { return &Shared{of: Limited{Pause: pause}} }

// Log is Log of [Limited].
func (s *Shared) Log(to *slog.Logger, text string, arguments ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.of.Log(to, text, arguments...)
}

// Log logs a line with arguments as those of [slog.Logger.Warn] and the number of the others as
// more, or counts it as one of the others.
func (l *Limited) Log(to *slog.Logger, text string, arguments ...any) {
	now := time.Now()
	if !l.due(now) {
		l.more++
		return
	}
	to.Warn(text, append(arguments, "more", l.more)...)
	l.logged, l.more = now, 0
}

// due reports whether a warning would have a line now.
func (l *Limited) due(now time.Time) bool { return now.Sub(l.logged) >= cmp.Or(l.Pause, Pause) }
