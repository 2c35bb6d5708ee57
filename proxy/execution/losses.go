package execution

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
func (x *Executor) NoteLost(key []byte) {
	x.Counts.Incomplete++
	now := time.Now()
	if now.Sub(x.losses.logged) < lossPause {
		x.losses.more++
		return
	}
	x.Log.Warn("a structure is incomplete: its upstream has lost a part of it, so it counts as lost as a whole",
		"key", string(key), "upstream", x.Pool.Owner(key).Name, "more", x.losses.more)
	x.losses = losses{logged: now}
}
