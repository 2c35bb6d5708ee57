package pool

import "github.com/memverbs/memverbs/proxy/admission"

// Slots limit how many verbs are under way for an upstream, on a loop. Each
// takes memory for as long as it waits for replies, some kilobytes, and a client
// may have many of them: without a limit, ten thousand clients could take gigabytes.
// And what they read comes on the connection on which everybody's small replies come,
// so how much that is at a time is limited too, as far as it can be guessed.
// Clients that want to begin more queue. Verbs count for the upstream of their
// first key, so that one which does not answer costs its own keys only; and of a
// retrieval whose keys name verbs, only the first is looked at before it begins.
type Slots struct {
	admission.Queue
	Most    int // verbs under way
	Running int
	Reading int // bytes that running verbs have still to read, as guessed when they began

	guess int // see Guess; 0 before any
}

// What is under way in the process, as long as that lets each upstream have leastVerbs on
// each loop.
const (
	maxVerbs   = 4096
	leastVerbs = 64
)

// MostVerbs returns how many verbs may be under way for an upstream on a loop, where there
// are so many of either.
func MostVerbs(loops, upstreams int) int {
	return max(maxVerbs/loops/upstreams, leastVerbs)
}

const (
	// MaxReading is how many bytes those that are under way for an upstream may read
	// before others begin.
	MaxReading = 1 << 20
	// firstReading is what is guessed of an item before any was read, in bytes, and
	// leastReading what is guessed at least, however small they were.
	firstReading = 64 << 10
	leastReading = 2 << 10
)

// Has implements [admission.Resource].
func (s *Slots) Has(*admission.Waiter) bool {
	return s.Running < s.Most && s.Reading < MaxReading
}

// Guess returns how many bytes an item is that a verb reads, by those that came.
func (s *Slots) Guess() int {
	if s.guess == 0 {
		return firstReading
	}
	return s.guess
}

// Learn adjusts the guess, by the largest item that a verb has read: up at once, down
// slowly.
func (s *Slots) Learn(size int) {
	if size < s.guess {
		size = s.guess - (s.guess-size)/8
	}
	s.guess = max(size, leastReading)
}
