package proxy

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// verbSlots limits how many verbs are under way for an upstream, on a loop. Each
// takes memory for as long as it waits for replies, some kilobytes, and a client
// may have many of them: without a limit, ten thousand clients could take gigabytes.
// And what they read comes on the connection on which everybody's small replies come,
// so how much that is at a time is limited too, as far as it can be guessed.
// Clients that want to begin more queue. Verbs count for the upstream of their
// first key, so that one which does not answer costs its own keys only; and of a
// retrieval whose keys name verbs, only the first is looked at before it begins.
type verbSlots struct {
	queue
	running int
	reading int // bytes that are still to come for these, by the guesses when they began
	guess   int // how many bytes an item is that a verb reads, by those that came; 0 before any
}

const (
	// maxVerbs is how many verbs are under way in the process, as long as that lets
	// each upstream have leastVerbs on each loop.
	maxVerbs   = 4096
	leastVerbs = 64
	// maxReading is how many bytes those that are under way for an upstream may read
	// before others begin.
	maxReading = 1 << 20
	// leastReading is what is guessed of an item at least, in bytes, however small
	// they were.
	leastReading = 2 << 10
)

// mostVerbs returns how many verbs are under way for an upstream on a loop.
func (c *Config) mostVerbs() int {
	return max(maxVerbs/c.Loops/len(c.Upstreams), leastVerbs)
}

// expects returns how many bytes a verb will read, as far as can be guessed.
func (s *verbSlots) expects(req *protocol.Request) int {
	v := catalog.Of(req)
	if !v.Reads {
		return 0
	}
	each := s.guess
	if each == 0 {
		each = carefulFirst
	}
	if v.Keys {
		return each * max(1, req.NumWords)
	}
	return each
}

// learn adjusts the guess, by the largest item that a verb has read: up at once, down
// slowly.
func (s *verbSlots) learn(size int) {
	if size < s.guess {
		size = s.guess - (s.guess-size)/8
	}
	s.guess = max(size, leastReading)
}

// has implements [resource].
func (s *verbSlots) has(*client) bool {
	return s.running < s.loop.mostVerbs && s.reading < maxReading
}
