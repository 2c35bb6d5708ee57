package proxy

import "time"

// losses logs the structures that verbs have found incomplete. As a client can write
// heads that point to nothing, one line is written in a while, with how many more there
// were since the one before.
type losses struct {
	logged time.Time // when the last line was
	more   uint64    // since then
}

// lossPause is how long it takes from one line to the next at least.
const lossPause = time.Second

// NoteLost implements [structure.Env].
func (l *loop) NoteLost(key []byte) {
	l.stats.lost++
	now := time.Now()
	if now.Sub(l.losses.logged) < lossPause {
		l.losses.more++
		return
	}
	l.log.Warn("a structure is incomplete: its upstream has lost a part of it, so it counts as lost as a whole",
		"key", string(key), "upstream", l.locate(key).Name, "more", l.losses.more)
	l.losses = losses{logged: now}
}
