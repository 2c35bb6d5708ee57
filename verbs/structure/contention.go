package structure

import (
	"hash/maphash"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// If calls have lost races for a structure lately, the next ones append orders at once, see
// order.go.

// orders is what one event loop remembers for the orders of its calls.
type orders struct {
	last      format.OrderID
	contended [numContended]contended
	given     [numContended]uint64 // by place: the last batch of orders for any structure with that place
	seed      maphash.Seed
	always    bool // for tests
}

// contended notes that calls have lost races for a structure, and the clock of its upstream.
type contended struct {
	hash  uint64
	until int64 // by [verbs.Env.Uptime], in milliseconds
	long  int64 // the same for a race that was lost when the structure took long to fold, see ground.spares
	ahead int64 // by how many milliseconds the clock of its upstream is ahead of Uptime
	asked int64 // when ahead was measured, by Uptime; 0 for never
}

const (
	// racesLost is how many races a call loses before it appends an order.
	racesLost = 4
	// contendedLasts is for how long after that the next calls append orders at once, in
	// milliseconds.
	contendedLasts = 1000
	// numContended is how many structures are noted. If two have the same place, only the last is
	// noted.
	numContended = 64
	// clockAsked is for how long, in milliseconds, a measurement of an upstream's clock is used. The clock
	// may have changed then, for example by a restart.
	clockAsked = 10_000
)

// next returns a new id for a batch of orders for the structure under key, appended at the time
// when.
func (s *orders) next(env verbs.Env, key []byte, when int64) format.OrderID {
	if s.last.Batch == 0 {
		s.last.Caller = verbs.NewID(env)
	}
	s.last.Batch++
	s.last.When = when
	hash, _ := s.place(key)
	s.given[hash%numContended] = s.last.Batch
	return s.last
}

// givenSince reports whether orders for the structure under key may have been appended since a
// batch.
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

// of returns what is noted of the structure under key. It replaces what was noted of another one with the
// same place.
func (s *orders) of(key []byte) *contended {
	hash, at := s.place(key)
	if at.hash != hash {
		*at = contended{hash: hash}
	}
	return at
}

// learn notes by how much the clock of the upstream of the structure under key is ahead of [verbs.Env.Uptime], at the
// time now.
func (s *orders) learn(key []byte, ahead, now int64) {
	at := s.of(key)
	at.ahead, at.asked = ahead, now
}

// note notes that calls have lost races for the structure under key.
func (s *orders) note(key []byte, now int64) { s.of(key).until = now + contendedLasts }

// noteLong notes that a call has lost a race for the structure under key, which takes long to fold.
func (s *orders) noteLong(key []byte, now int64) { s.of(key).long = now + contendedLasts }

// longLost reports whether that was noted lately.
func (s *orders) longLost(key []byte, now int64) bool {
	hash, at := s.place(key)
	return at.hash == hash && now < at.long
}

// wanted reports whether calls have lost races for the structure under key lately.
func (s *orders) wanted(key []byte, now int64) bool {
	hash, at := s.place(key)
	return s.always || at.hash == hash && now < at.until
}
