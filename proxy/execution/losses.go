package execution

import (
	"log/slog"
	"time"
)

// losses logs the structures that verbs have found incomplete. As a client can write
// heads that point to nothing, one line is written in a while, with how many more there
// were since the one before.
type losses struct {
	logged time.Time // when the last line was
	more   uint64    // since then
}

// lossPause is how long it takes from one line to the next at least.
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
