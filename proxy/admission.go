package proxy

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// admission limits how many verbs are under way for an upstream, on a loop. Each
// takes memory for as long as it waits for replies, some kilobytes, and a client
// may have many of them: without a limit, ten thousand clients could take gigabytes.
// And what they read comes on the connection on which everybody's small replies come,
// so how much that is at a time is limited too, as far as it can be guessed.
// Clients that want to begin more wait in turn. Verbs count for the upstream of their
// first key, so that one which does not answer costs its own keys only; and of a
// retrieval whose keys name verbs, only the first is looked at before it begins.
type admission struct {
	running int
	reading int // bytes that are still to come for these, by the guesses when they began
	guess   int // how many bytes an item is that a verb reads, by those that came; 0 before any
	waiting []*client
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
func (a *admission) expects(req *protocol.Request) int {
	v := catalog.Of(req)
	if !v.Reads {
		return 0
	}
	each := a.guess
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
func (a *admission) learn(size int) {
	if size < a.guess {
		size = a.guess - (a.guess-size)/8
	}
	a.guess = max(size, leastReading)
}

// room returns how many verbs may begin now, about.
func (a *admission) room(most int) int {
	if a.reading >= maxReading {
		return 0
	}
	return max(0, min(most-a.running, 1+(maxReading-a.reading)/max(a.guess, leastReading)))
}

// crowded reports whether req, which would begin a verb, has to wait, as enough are
// under way. c is woken then.
func (c *client) crowded(req *protocol.Request) bool {
	if len(req.Key) == 0 { // it will be refused
		return false
	}
	a := &c.loop.locate(req.Key).admission
	if a.room(c.loop.mostVerbs) > 0 {
		return false
	}
	if !c.waitsForVerbs {
		c.waitsForVerbs = true
		c.loop.crowded++
		a.waiting = append(a.waiting, c)
	}
	return true
}

// admit wakes as many of those who wait as can begin a verb. It reports whether there
// were any. One that has several to begin may take the place of others, and these then
// wait behind those that have not been woken yet.
func (l *loop) admit() bool {
	woken := 0
	for i := 0; i < len(l.upstreams) && l.crowded > 0; i++ {
		a := &l.upstreams[i].admission
		n := min(a.room(l.mostVerbs), len(a.waiting))
		for _, c := range a.waiting[:n] {
			c.waitsForVerbs = false
			l.wake(c)
		}
		clear(a.waiting[:n])
		a.waiting = a.waiting[n:]
		l.crowded -= n
		woken += n
	}
	return woken > 0
}
