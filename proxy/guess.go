package proxy

// How long values are is known only when they come, and then it is too late to have
// asked for fewer. So it is guessed from those that the client got before, and that
// guess limits for how many keys at a time a client's requests ask the upstreams, and
// which connections they go on.

const (
	// budget is how many bytes of values a client may be owed, by that guess.
	budget = 1 << 20
	// firstGuess is the size of a value, in bytes, before any has been seen;
	// leastGuess is what is guessed at least, however small the values were so far,
	// as the next ones may all be large, and so many are asked for at once; and
	// firstReplies is how many replies with values a client may be owed until it has
	// got one. The same with careful in their names hold where large values are to
	// be expected from anybody: once some client of the loop has got some, and
	// before the loop has seen what there is.
	firstGuess     = 16 << 10
	carefulFirst   = 64 << 10
	leastGuess     = 8 << 10
	carefulLeast   = 12 << 10
	firstReplies   = 4
	carefulReplies = 1
	// convincing is after how many replies with small values, and none with large
	// ones, a loop takes it that there are small values only.
	convincing = 100
)

// values is what a loop knows of the values that its clients get.
type values struct {
	replies int  // with values, until they convince
	large   bool // some client has got large ones
}

// add enters a reply, and whether the values of who got it are large.
func (v *values) add(large bool) {
	v.large = v.large || large
	v.replies = min(v.replies+1, convincing)
}

// careful reports whether anybody's next values may well be large.
func (v *values) careful() bool { return v.large || v.replies < convincing }

// first returns what is guessed of a client that has got no values yet, in bytes.
func (v *values) first() int {
	if v.careful() {
		return carefulFirst
	}
	return firstGuess
}

// least returns what is guessed at least, in bytes.
func (v *values) least() int {
	if v.careful() {
		return carefulLeast
	}
	return leastGuess
}

// mostFirst returns how many replies with values a client may be owed that has not
// got any yet.
func (v *values) mostFirst() int {
	if v.careful() {
		return carefulReplies
	}
	return firstReplies
}

// expected is what is expected of the values that a client gets.
type expected struct {
	size int  // of a value, in bytes
	seen bool // a value, or that there is none
}

// learn adjusts the guess at the size of a client's values, of which some of so many
// bytes each came: up at once, down slowly, but to no less than least.
func (e *expected) learn(size, least int) {
	if !e.seen {
		e.seen, e.size = true, firstGuess
	}
	if size >= e.size {
		e.size = size
	} else {
		e.size = max(e.size-(e.size-size)/8, least)
	}
}
