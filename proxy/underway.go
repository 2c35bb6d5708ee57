package proxy

import "unsafe"

// What may be under way on a connection before those who add to it are paused.
const (
	maxQueued   = 1 << 20  // bytes that wait to be written
	maxPending  = 64 << 10 // requests that wait for their answers
	maxExpected = 4 << 20  // bytes to compare replies with
)

// underWay is what may be under way on each connection of a loop. That is less than
// the above where there are so many connections that they could take a large part of
// the memory together, as all upstreams may hang at the same time.
type underWay struct{ queued, pending, expected int }

// idleExpected returns how much memory a connection keeps for what replies are compared
// with while it waits for none, in bytes. It is as much as many requests need: to get
// it anew for each batch of gets of 100 keys had Go's collector at work all the time,
// for a tenth of the processor time.
func (u *underWay) idleExpected() int { return u.expected / 4 }

// What may be under way however little memory there is.
const (
	leastBytes   = 64 << 10
	leastPending = 1 << 10
)

// connectionsShare is which part of the memory each of the three may take on all
// connections together.
const connectionsShare = 8

// mostUnderWay returns what may be under way on each connection.
func (s *Server) mostUnderWay() underWay {
	share := int(s.budget.Limit) / connectionsShare / s.config.Loops / len(s.config.Upstreams)
	return underWay{
		queued:   min(maxQueued, max(leastBytes, share)),
		pending:  min(maxPending, max(leastPending, share/pendingSize)),
		expected: min(maxExpected, max(leastBytes, share)),
	}
}

// pendingSize is the size of a request that waits for its answer, in bytes.
const pendingSize = int(unsafe.Sizeof(pending{}))

// account counts what is kept of the requests that are under way.
func (c *connection) account() {
	if n := cap(c.expected.text) + len(c.pending.ring)*pendingSize; n != c.kept {
		c.keeps(n)
	}
}

// keeps counts n bytes instead of those that were counted last.
func (c *connection) keeps(n int) {
	if n > c.kept {
		c.loop.account.Take(n - c.kept)
	} else {
		c.loop.account.Give(c.kept - n)
	}
	c.kept = n
}
