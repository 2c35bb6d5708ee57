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

// Contended reports whether calls of the event loop have lost races for the call's structure lately.
func (e *Engine) Contended() bool { return e.env.Decisions().orders.wanted(e.Key, e.env.Uptime()) }

// NoteContended notes that the call has lost a race for its structure in a way that only the verb knows.
func (e *Engine) NoteContended() { e.env.Decisions().orders.note(e.Key, e.env.Uptime()) }

// next returns a new id, of a batch for the structure under key that is given at a time.
func (s *orders) next(env verbs.Env, key []byte, when int64) OrderID {
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

// timeOfOrder returns what time it is for the next order of the call, in milliseconds since 1970. If what the order
// has done is remembered for a time, that is told by the clock of the structure's upstream: by this proxy's, which may
// be wrong, others would forget it before the call has its answer, or much too late. The upstream is asked now and
// then, which the reply is to: Hit; Missing if it does not tell, so that this proxy's clock has to do; or Failed.
func (e *Engine) timeOfOrder(remembered bool) (now int64, asked bool, r verbs.Reply) {
	all, up := &e.env.Decisions().orders, e.env.Uptime()
	if !remembered {
		return e.env.Now(), false, r
	}
	if at := all.of(e.Key); at.asked != 0 && up-at.asked < clockAsked {
		return up + at.ahead, false, r
	}
	seconds, r := e.roughTime(e.Key)
	if r.Status != verbs.Hit {
		return e.env.Now(), true, r
	}
	all.learn(e.Key, 1000*seconds-e.env.Uptime(), e.env.Uptime())
	return 1000 * seconds, true, r
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
