package execution

import (
	"log/slog"
	"time"
)

// losses logs the structures that verbs have found incomplete. Since a client can cause
// many by writing heads with dangling pointers, at most one line is logged in
// lossPause, with the number of others since the previous line.
type losses struct {
	logged time.Time // time of the last line
	more   uint64    // other structures since then
}

// lossPause is the least time between two lines.
const lossPause = time.Second

// note notes that the structure under key, on an upstream, was found incomplete.
func (l *losses) note(log *slog.Logger, key []byte, upstream string) {
	now := time.Now()
	if now.Sub(l.logged) < lossPause {
		l.more++
		return
	}
	log.Warn("a structure is incomplete: its upstream has lost a part of it, so it counts as lost as a whole",
		"key", string(key), "upstream", upstream, "more", l.more)
	*l = losses{logged: now}
}
