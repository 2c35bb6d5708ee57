package execution

import (
	"bytes"
	"math/rand/v2"
	"time"

	"github.com/memverbs/memverbs/proxy/near"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/proxy/warning"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
	"github.com/memverbs/memverbs/verbs/structure/views"
)

// verbEnv is what verbs know of their executor, and what they remember together. It implements [verbs.Env]
// and [structure.Env].
type verbEnv struct {
	*appends
	core         *core
	reservations *reservations
	beginning    *Execution // the execution whose verb begins now; its key's owner, often asked for, is known
	views        *views.Views
	decisions    structure.Decisions
	hints        verbs.Hints
	shared       verbs.Shared
	outgrown     hints
	scratch      structure.Scratch
	warnings     warnings
}

// warnings are the log lines about what verbs have found, each limited separately.
type warnings struct{ lost, foreign, full, uncached, disagreement warning.Limited }

var _ structure.Env = (*verbEnv)(nil)

// AwaitEndOfTurn implements [structure.Env].
func (e *verbEnv) AwaitEndOfTurn() { e.core.Net.AwaitEndOfTurn() }

// Now implements [verbs.Env].
func (e *verbEnv) Now() int64 { return e.core.Time.Wall() }

// Uptime implements [verbs.Env].
func (e *verbEnv) Uptime() int64 { return e.core.Time.Micros() / 1000 }

// AppendCreates implements [verbs.Env].
func (e *verbEnv) AppendCreates(structure []byte) bool {
	return e.owner(structure).Version.AtLeast(upstream.AppendCreates)
}

// Silence implements [verbs.Env].
func (e *verbEnv) Silence(structure []byte) int64 {
	return (e.core.Time.Micros() - e.owner(structure).Replied + 999) / 1000 // rounded up
}

// MostMemory implements [verbs.Env].
func (e *verbEnv) MostMemory() int { return e.reservations.most() }

// ItemLimit implements [verbs.Env].
func (e *verbEnv) ItemLimit(structure, key []byte) int {
	return e.owner(structure).ItemLimit(key)
}

// owner returns the upstream that owns a structure.
func (e *verbEnv) owner(structure []byte) *pool.Member {
	if r := e.beginning; r != nil && r.owner != nil && bytes.Equal(structure, r.key) {
		return r.owner // locating a key takes longer
	}
	return e.core.place(structure)
}

// Upstream implements [verbs.Env].
func (e *verbEnv) Upstream(structure []byte) string { return e.owner(structure).Name }

// FormerPlaces implements [verbs.Env]. In a namespace, structures are made anew where the pool says.
func (e *verbEnv) FormerPlaces(structure []byte) (places []verbs.Place) {
	x := e.core
	if x.Places == nil || !x.Places.History().Changed() || x.Namespaces.Of(structure) > 0 {
		return nil
	}
	at, _ := x.Places.History().Place(nil, structure, x.Pool.Owner(structure).Index, time.Now())
	for _, i := range at {
		places = append(places, verbs.Place(i+1))
	}
	return places
}

// NoteLost implements [structure.Env].
func (e *verbEnv) NoteLost(structure, shown []byte, kind string) {
	e.core.Counts.Pool[status.Incomplete]++
	if e.core.Counts.Lost == nil {
		e.core.Counts.Lost = map[string]uint64{}
	}
	e.core.Counts.Lost[kind]++
	e.warnings.lost.Log(e.core.Log, "a structure, or a task of a queue, is lost: its upstream has evicted a part of it",
		"key", string(shown), "upstream", e.Upstream(structure))
}

// NoteForeign implements [structure.Env].
func (e *verbEnv) NoteForeign(structure, shown []byte, kind string, tokens int) {
	e.core.Counts.Pool[status.Foreign] += uint64(tokens)
	e.warnings.foreign.Log(e.core.Log, "tokens of other kinds were dropped: clients have changed a structure by verbs of other kinds, and were told STORED though it meant nothing; give each kind keys of its own",
		"key", string(shown), "kind", kind, "tokens", tokens, "upstream", e.Upstream(structure))
}

// NoteFull implements [verbs.Env].
func (e *verbEnv) NoteFull(structure, shown []byte) {
	e.core.Counts.Pool[status.Full]++
	e.warnings.full.Log(e.core.Log, "a structure is full, so what adds to it is refused: remove some of it, or spread it over several keys; for an event log, use a shorter --log-chunk",
		"key", string(shown), "upstream", e.Upstream(structure))
}

// NoteUncached implements [structure.Env].
func (e *verbEnv) NoteUncached(structure, shown []byte, bytes int) {
	e.warnings.uncached.Log(e.core.Log, "a structure is too large for the cache, so each request reads the whole of it: raise --read-cache above twice the memory that it takes, or split the structure",
		"key", string(shown), "memory", bytes, "upstream", e.Upstream(structure))
}

// Views implements [structure.Env].
func (e *verbEnv) Views() *views.Views { return e.views }

// Decisions implements [structure.Env].
func (e *verbEnv) Decisions() *structure.Decisions { return &e.decisions }

// Precedence implements [structure.Env].
func (e *verbEnv) Precedence() *structure.Precedence { return e.core.Precedence }

// Post implements [structure.Env].
func (e *verbEnv) Post(fn func()) bool { return e.core.Post(fn) }

// AsksNow implements [structure.Env].
func (e *verbEnv) AsksNow(structure []byte) int64 {
	if e.core.Kept == nil || !e.core.Kept.Covers(structure) || e.core.Namespaces.Of(structure) > 0 {
		return 0
	}
	e.core.Counts.Pool[status.NearAsked]++
	return near.Now()
}

// Recent implements [structure.Env].
func (e *verbEnv) Recent(structure []byte, asked int64) bool {
	if e.core.Kept == nil || e.core.Namespaces.Of(structure) > 0 {
		return false
	}
	age, recent := e.core.Kept.Recent(structure, asked)
	if recent {
		e.core.Counts.Pool[status.NearHits]++
		e.core.Counts.Pool[status.NearAge] += uint64(age)
	}
	return recent
}

// Hints implements [verbs.Env].
func (e *verbEnv) Hints() *verbs.Hints { return &e.hints }

// Shared implements [verbs.Env].
func (e *verbEnv) Shared() *verbs.Shared { return &e.shared }

// Outgrown implements [verbs.Env].
func (e *verbEnv) Outgrown(key []byte) bool { return e.outgrown.has(key) }

// NoteOutgrown implements [verbs.Env].
func (e *verbEnv) NoteOutgrown(key []byte) { e.outgrown.note(key) }

// Random implements [verbs.Env].
func (e *verbEnv) Random() uint64 { return rand.Uint64() }

// ClientKey implements [verbs.Env].
func (e *verbEnv) ClientKey(stored []byte) []byte { return e.core.clientKey(stored) }

// Options implements [verbs.Env].
func (e *verbEnv) Options() *verbs.Options { return e.core.Options }

// KeepScratch implements [structure.Env].
func (e *verbEnv) KeepScratch(s structure.Scratch) {
	e.TakeScratch()
	if e.reservations.has(s.Size()) {
		e.core.Account.Take(s.Size())
		e.scratch = s
	}
}

// TakeScratch implements [structure.Env].
func (e *verbEnv) TakeScratch() structure.Scratch {
	s := e.scratch
	e.core.Account.Free(s.Size())
	e.scratch = structure.Scratch{}
	return s
}
