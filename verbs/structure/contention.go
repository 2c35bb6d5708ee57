package structure

import (
	"hash/maphash"

	"github.com/memverbs/memverbs/verbs"
)

// Where calls have lost races lately, the next ones give orders at once, see order.go.

// orders is how the deciding calls of one event loop give orders.
type orders struct {
	last      OrderID
	contended [numContended]contended
	given     [numContended]uint64 // the last batch for any structure of that place
	seed      maphash.Seed
	always    bool // for tests
}

// contended notes that calls have lost races for a structure.
type contended struct {
	hash  uint64
	until int64 // in milliseconds
}

const (
	// racesLost is how many races a call loses before it gives an order.
	racesLost = 4
	// contendedLasts is how long the next calls don't race at all, in milliseconds.
	contendedLasts = 1000
	// numContended is how many structures are noted. Of two with the same place only the last
	// is.
	numContended = 64
)

// Contended reports whether calls of the event loop have lost races for the call's structure lately.
func (e *Engine) Contended() bool { return e.env.Decisions().orders.wanted(e.Key, e.env.Now()) }

// NoteContended notes that the call has lost a race for its structure in a way that only the verb knows.
func (e *Engine) NoteContended() { e.env.Decisions().orders.note(e.Key, e.env.Now()) }

// next returns a new id, of a batch for the structure under key.
func (s *orders) next(env verbs.Env, key []byte) OrderID {
	if s.last.Batch == 0 {
		s.last.Caller = verbs.NewID(env)
	}
	s.last.Batch++
	s.last.When = env.Now()
	hash, _ := s.place(key)
	s.given[hash%numContended] = s.last.Batch
	return s.last
}

// givenSince reports whether orders may have been given for the structure under key since a batch.
func (s *orders) givenSince(batch uint64, key []byte) bool {
	hash, _ := s.place(key)
	return s.given[hash%numContended] > batch
}

// place returns the hash of key and where it is noted.
func (s *orders) place(key []byte) (hash uint64, at *contended) {
	if s.seed == (maphash.Seed{}) {
		s.seed = maphash.MakeSeed()
	}
	hash = maphash.Bytes(s.seed, key)
	return hash, &s.contended[hash%numContended]
}

// note notes that calls have lost races for the structure under key.
func (s *orders) note(key []byte, now int64) {
	hash, at := s.place(key)
	*at = contended{hash, now + contendedLasts}
}

// wanted reports whether calls have lost races for the structure under key lately.
func (s *orders) wanted(key []byte, now int64) bool {
	hash, at := s.place(key)
	left := at.until - now
	return s.always || at.hash == hash && left > 0 && left <= contendedLasts
}
