package warning

import (
	"log/slog"
	"sync"
	"time"
)

// ByReason is a warning that may have many reasons, and is limited for each reason separately, so that a
// frequent reason does not hide the others: the lines of a reason are at least Pause apart. Clients can make up
// reasons, so at most Most reasons are kept, which is also the most lines in a pause. It is safe for concurrent
// use.
type ByReason struct {
	Most  int           // reasons at a time
	Pause time.Duration // between two lines of one of them

	mu     sync.Mutex
	lines  map[string]*Limited
	untold uint64 // warnings that no line has counted yet
}

// Log is Log of [Limited] for a reason. If there is no room for the reason, it logs nothing and counts the
// warning; the next line has the number of such warnings as others.
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

// add adds a reason. To make room, it forgets reasons whose pause is over. It returns nil if there is no room.
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
