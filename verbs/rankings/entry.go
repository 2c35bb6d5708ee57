package rankings

// entry is the state of a member according to the log.
type entry struct {
	score    int64  // the sum of everything that counts now
	hash     uint32 // of the member; the lowest bits are flags
	from, to uint32 // the member is log[from:to]

	last     uint32 // 1 + the index of the last of its increments, or of its history, or 0
	counting uint32 // how many of the increments have not expired; of a history, how many tokens AppendLog writes
	kept     uint32 // how many of them, or of the history, AppendLog writes, see expiry.go
}

const entrySize = 32 // in bytes

// The flags.
const (
	// stays is set if a part of the score never expires.
	stays = 1 << iota
	// forgets is set if the log sets or removes the member, so that a score from before the log
	// does not count.
	forgets
	// clamps is set if a token has raised or lowered the score since the log has set or removed the member.
	clamps
	// chained is set if the entry has a history, see clamp.go.
	chained
	flags = stays | forgets | clamps | chained
)

// isMember reports whether the entry is a member now. An entry with nothing but expired increments
// is not.
func (e *entry) isMember() bool { return e.hash&stays != 0 || e.counting > 0 }

// tokens returns how many tokens AppendLog writes for the entry.
func (e *entry) tokens() int {
	if e.hash&chained != 0 {
		return int(e.counting)
	}
	return int(e.hash&stays)/stays + int(min(e.kept, 1))
}

func (e *entry) member(log []byte) []byte { return log[e.from:e.to] }

// written is about what AppendLog writes for some entries.
type written struct {
	tokens     int
	members    int    // total length of the members in these tokens, in bytes
	increments int    // in these tokens
	widest     uint64 // no score is farther from 0, as long as no increment expires
}

// add adds, or subtracts, what is written for an entry.
func (w *written) add(e *entry, sign int) {
	tokens := sign * e.tokens()
	w.tokens += tokens
	w.members += tokens * int(e.to-e.from)
	w.increments += sign * int(e.kept)
	w.widest = max(w.widest, magnitude(e.score))
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}
