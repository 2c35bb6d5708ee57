package execution

import (
	"bytes"
	"math/rand/v2"

	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// The executor is the Env of its verbs.
var _ structure.Env = (*Executor)(nil)

// Now implements [verbs.Env].
func (x *Executor) Now() int64 { return x.Time.Wall() }

// AppendCreates implements [verbs.Env].
func (x *Executor) AppendCreates(structure []byte) bool {
	return x.owner(structure).Version.AtLeast(upstream.AppendCreates)
}

// Silence implements [verbs.Env].
func (x *Executor) Silence(structure []byte) int64 {
	return (x.Time.Micros() - x.owner(structure).Replied + 999) / 1000 // rounded up
}

// MostRoom implements [verbs.Env].
func (x *Executor) MostRoom() int { return x.rooms.most() }

// ItemLimit implements [verbs.Env].
func (x *Executor) ItemLimit(structure, key []byte) int {
	return x.owner(structure).ItemLimit(key)
}

// owner returns the upstream that owns a structure.
func (x *Executor) owner(structure []byte) *pool.Member {
	if r := x.beginning; r != nil && r.owner != nil && bytes.Equal(structure, r.key) {
		return r.owner // locating a key takes longer
	}
	return x.Pool.Owner(structure)
}

// Upstream implements [verbs.Env].
func (x *Executor) Upstream(structure []byte) string { return x.owner(structure).Name }

// Overdue implements [structure.Env].
func (x *Executor) Overdue(structure, key []byte) bool { return x.appends.isOverdue(structure, key) }

// Ride implements [structure.Env].
func (x *Executor) Ride(structure, key []byte, most int) []byte {
	return x.appends.ride(structure, key, most)
}

// Rode implements [structure.Env].
func (x *Executor) Rode(structure, key []byte, outcome verbs.Reply) {
	x.appends.rode(structure, key, outcome)
}

// Hold implements [structure.Env].
func (x *Executor) Hold(structure, key []byte, on bool) { x.appends.hold(structure, key, on) }

// NoteLost implements [structure.Env].
func (x *Executor) NoteLost(structure, key []byte, kind string) {
	x.Counts.Incomplete++
	if x.Counts.Lost == nil {
		x.Counts.Lost = map[string]uint64{}
	}
	x.Counts.Lost[kind]++
	x.lost.Log(x.Log, "a structure, or a task of a queue, is lost: its upstream has evicted a part of it",
		"key", string(key), "upstream", x.Upstream(structure))
}

// NoteForeign implements [structure.Env].
func (x *Executor) NoteForeign(structure, key []byte, kind string, tokens int) {
	x.Counts.Foreign += uint64(tokens)
	x.foreign.Log(x.Log, "tokens of other kinds were dropped: clients have changed a structure by verbs of other kinds, and were told STORED though it meant nothing; give each kind keys of its own",
		"key", string(key), "kind", kind, "tokens", tokens, "upstream", x.Upstream(structure))
}

// NoteFull implements [structure.Env].
func (x *Executor) NoteFull(structure []byte) {
	x.Counts.Full++
	x.full.Log(x.Log, "a structure is full, so what adds to it is refused: remove some of it, or spread it over several keys",
		"key", string(structure), "upstream", x.Upstream(structure))
}

// NoteUncached implements [structure.Env].
func (x *Executor) NoteUncached(structure, key []byte, bytes int) {
	x.uncached.Log(x.Log, "a structure is too large for the cache, so each request reads the whole of it: raise --read-cache above twice the memory that it takes, or split the structure",
		"key", string(key), "memory", bytes, "upstream", x.Upstream(structure))
}

// Views implements [structure.Env].
func (x *Executor) Views() *structure.Views { return x.views }

// Decisions implements [structure.Env].
func (x *Executor) Decisions() *structure.Decisions { return &x.decisions }

// Hints implements [verbs.Env].
func (x *Executor) Hints() *verbs.Hints { return x.hints.At(x.Now()) }

// Outgrown implements [verbs.Env].
func (x *Executor) Outgrown(key []byte) bool { return x.outgrown.has(key) }

// NoteOutgrown implements [verbs.Env].
func (x *Executor) NoteOutgrown(key []byte) { x.outgrown.note(key) }

// Random implements [verbs.Env].
func (x *Executor) Random() uint64 { return rand.Uint64() }

// Options implements [verbs.Env].
func (x *Executor) Options() *verbs.Options { return x.Env.Options }
