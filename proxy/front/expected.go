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
	// firstGuess is the guess, in bytes, before a client has got a value. leastGuess is
	// the least guess, since small values may be followed by many large ones.
	// firstReplies is how many replies with values may be outstanding before the first one has
	// arrived. The constants with careful in their names apply while large values are likely: until
	// the loop has seen enough small ones, and for good once any of its clients has received large
	// ones.
	firstGuess     = 16 << 10
	carefulFirst   = 64 << 10
	leastGuess     = 8 << 10
	carefulLeast   = 12 << 10
	mostGuess      = 1 << 30 // the most that --max-item-size may be
	firstReplies   = 4
	carefulReplies = 1
	// convincing is the number of replies with only small values after which a loop
	// assumes that all values are small.
	convincing = 100
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

// careful reports whether the next values of any client may be large.
func (v *values) careful() bool { return v.large || v.replies < convincing }

// first returns the guess for a client that has got no values yet, in bytes.
func (v *values) first() int {
	if v.careful() {
		return carefulFirst
	}
	return firstGuess
}

// least returns the least guess, in bytes.
func (v *values) least() int {
	if v.careful() {
		return carefulLeast
	}
	return leastGuess
}

// mostFirst returns how many replies with values may be outstanding for a client that has not
// received any yet.
func (v *values) mostFirst() int {
	if v.careful() {
		return carefulReplies
	}
	return firstReplies
}

// ofNewcomers returns the guess for clients that have got no values yet, all together, in bytes.
func (v *values) ofNewcomers() int { return max(v.met.size(), v.first()) }

// expected is the guess of the size of a client's values.
type expected struct {
	guess int32 // in bytes, at most mostGuess
	seen  bool  // a value or a miss has been received
}

// learn adjusts the guess to values of size bytes, but to no less than least.
func (e *expected) learn(size, least int) {
	if !e.seen {
		*e = expected{firstGuess, true}
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
