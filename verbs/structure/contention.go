package structure

import (
	"hash/maphash"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// Where calls have lost races lately, the next ones give orders at once, see order.go.

// orders is how the deciding calls of one event loop give orders.
type orders struct {
	last      format.OrderID
	contended [numContended]contended
	given     [numContended]uint64 // the last batch for any structure of that place
	seed      maphash.Seed
	always    bool // for tests
}

// contended notes that calls have lost races for a structure, and what time it is there.
type contended struct {
	hash  uint64
	until int64 // by [verbs.Env.Uptime], in milliseconds
	ahead int64 // milliseconds by which the clock of its upstream is ahead of Uptime
	asked int64 // when that was found out, by Uptime; 0 if it was not
}

const (
	// racesLost is how many races a call loses before it gives an order.
	racesLost = 4
	// contendedLasts is how long the next calls don't race at all, in milliseconds.
	contendedLasts = 1000
	// numContended is how many structures are noted. Of two with the same place only the last
	// is.
	numContended = 64
	// clockAsked is for how long, in milliseconds, it is known what time it is by the clock of a structure's
	// upstream. That may be another one then, as after a restart.
	clockAsked = 10_000
)

// next returns a new id, of a batch for the structure under key that is given at a time.
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

// of returns what is noted of the structure under key, instead of what was of another with the same place.
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

// wanted reports whether calls have lost races for the structure under key lately.
func (s *orders) wanted(key []byte, now int64) bool {
	hash, at := s.place(key)
	return s.always || at.hash == hash && now < at.until
}
