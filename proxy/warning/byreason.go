package warning

import (
	"log/slog"
	"sync"
	"time"
)

// ByReason is a warning that has many reasons, so that one of them does not hide the others: each has lines of
// its own, at least Pause apart. As clients may make up reasons, there is room for Most of them, and so no more
// lines than that in a pause. It is safe for concurrent use.
type ByReason struct {
	Most  int           // reasons at a time
	Pause time.Duration // between two lines of one of them

	mu     sync.Mutex
	lines  map[string]*Limited
	untold uint64 // warnings that are in the more of no line
}

// Log is Log of [Limited] for a reason. A reason for which there is no room has no line; the next line of another
// has the number of such warnings as others, if there were any.
func (b *ByReason) Log(to *slog.Logger, reason, text string, arguments ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	of := b.lines[reason]
	if of == nil {
		if of = b.add(reason); of == nil {
			b.untold++
			return
		}
	}
	if b.untold > 0 && of.due(time.Now()) {
		to, b.untold = to.With("others", b.untold), 0
	}
	of.Log(to, text, arguments...)
}

// add makes room for a reason by forgetting those that would have a line now. It returns nil if there is none.
func (b *ByReason) add(reason string) *Limited {
	if len(b.lines) >= b.Most {
		now := time.Now()
		for other, of := range b.lines {
			if of.due(now) {
				b.untold += of.more
				delete(b.lines, other)
			}
		}
	}
	if len(b.lines) >= b.Most {
		return nil
	}
	if b.lines == nil {
		b.lines = map[string]*Limited{}
	}
	of := &Limited{Pause: b.Pause}
	b.lines[reason] = of
	return of
}
