package pool

import (
	"cmp"

	"github.com/memverbs/memverbs/proxy/admission"
	"github.com/memverbs/memverbs/proxy/guess"
)

// Slots limit the running verbs of a loop for one upstream. A verb takes some kilobytes
// while it waits for replies, and a client may have many: without a limit, ten thousand
// clients could take gigabytes. Also, verbs read on the connection that has the small replies to
// all clients, so the bytes that they read at a time are limited too; these are guessed. Clients
// that want to begin more verbs queue. A verb counts for the upstream of its first key, so that an
// upstream that does not answer only delays its own keys. Of a retrieval whose keys name verbs,
// only the first key is checked before it begins.
type Slots struct {
	admission.Queue
	Most    int // limit of Running; twice that for clients that have no other verb running
	Running int
	Reading int // bytes that running verbs have still to read, as guessed when they began
	Batched int // bytes that the long batches of running verbs count as, see batches of package execution

	guess   int  // see Guess; 0 before a verb has read an item
	retired bool // see [Member.Retire]
}

// maxVerbs limits the running verbs of the process, but each upstream may have leastVerbs
// on each loop. Clients that have no other verb running may go up to twice as many.
const (
	maxVerbs   = 4096
	leastVerbs = 64
)

// MostVerbs returns how many verbs may run for an upstream on a loop, given the numbers of
// loops and upstreams.
func MostVerbs(loops, upstreams int) int {
	return max(maxVerbs/loops/upstreams, leastVerbs)
}

const (
	// MaxReading is how many bytes the running verbs for an upstream may have to read
	// before others must wait.
	MaxReading = 1 << 20
	// firstReading is the guess of an item's size, in bytes, before a verb has read
	// one. leastReading is the least guess.
	firstReading = 64 << 10
	leastReading = 2 << 10
)

// Admits reports whether w can begin its next verb. If not, w waits. A client without a running verb does
// not wait for those that have many, unless twice the limit are running.
func (s *Slots) Admits(w *admission.Waiter) bool {
	if w.Light && s.Running < 2*s.Most && s.Reading < 2*MaxReading {
		s.Leave(w)
		return true
	}
	return s.Queue.Admits(w)
}

// Has implements [admission.Resource].
func (s *Slots) Has(*admission.Waiter) bool {
	return s.retired || s.Running < s.Most && s.Reading < MaxReading
}

// Guess returns the guessed size of an item that a verb reads, in bytes.
func (s *Slots) Guess() int { return cmp.Or(s.guess, firstReading) }

// Learn adjusts the guess to size, that of the largest item that a verb has read.
func (s *Slots) Learn(size int) { s.guess = guess.After(s.guess, size, leastReading) }
