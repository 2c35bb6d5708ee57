package front

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/guess"
)

// The size of a value is known only when it arrives; then it is too late to request fewer. So the
// size is guessed from the client's earlier values. The guess limits how many keys of a client are
// requested at a time, and decides which connections its requests use.

const (
	// budget is how many bytes of values, as guessed, may be outstanding for a client.
	budget = 1 << 20
	// mostGuess is the most that --max-item-size may be.
	mostGuess = 1 << 30
	// convincing is the number of replies with only small values after which a loop
	// assumes that all values are small.
	convincing = 100
)

// guesses are what is assumed of values that are not known.
type guesses struct {
	first   int // the guess, in bytes, before a client has got a value
	least   int // the least guess, in bytes, since small values may be followed by many large ones
	replies int // how many replies with values may be outstanding before the first one has arrived
}

// The guesses are careful while large values are likely: until the loop has seen enough small ones, and for good once any of its
// clients has received large ones.
var (
	usual   = guesses{first: 16 << 10, least: 8 << 10, replies: 4}
	careful = guesses{first: 64 << 10, least: 12 << 10, replies: 1}
)

// values is what a loop has learned about its clients' values.
type values struct {
	replies int      // replies with values so far, at most convincing
	large   bool     // some client has got large ones
	met     expected // guess of the size of a client's first values
}

// add records a reply, and whether its client's values are large.
func (v *values) add(large bool) {
	v.large = v.large || large
	v.replies = min(v.replies+1, convincing)
}

// guesses returns what is assumed of the next values of any client.
func (v *values) guesses() guesses {
	if v.large || v.replies < convincing {
		return careful
	}
	return usual
}

// ofNewcomers returns the guess for clients that have got no values yet, all together, in bytes.
func (v *values) ofNewcomers() int { return max(v.met.size(), v.guesses().first) }

// expected is the guess of the size of a client's values.
type expected struct {
	guess int32 // in bytes, at most mostGuess
	seen  bool  // a value or a miss has been received
}

// learn adjusts the guess to values of size bytes, but to no less than least.
func (e *expected) learn(size, least int) {
	if !e.seen {
		*e = expected{int32(usual.first), true}
	}
	e.guess = int32(guess.After(e.size(), min(size, mostGuess), least))
}

// size returns the guess, in bytes.
func (e *expected) size() int { return int(e.guess) }

// maxValues returns the greatest number of values in the reply to command with that
// number of keys.
func maxValues(command protocol.Command, keys int) int {
	if command.Retrieval() {
		return keys
	}
	if command == protocol.MetaGet || command == protocol.MetaArithmetic {
		return 1
	}
	return 0
}
