package upstream

import "unsafe"

// What may be under way on a connection before those who add to it are paused.
const (
	maxQueued   = 1 << 20  // bytes that wait to be written
	maxPending  = 64 << 10 // requests that wait for their answers
	maxExpected = 4 << 20  // bytes to compare replies with
)

// UnderWay is what may be under way on each connection of a loop.
type UnderWay struct{ queued, pending, expected int }

// idleExpected returns how much memory a connection keeps for what replies are compared
// with while it waits for none, in bytes. It is as much as many requests need: to get
// it anew for each batch of gets of 100 keys had Go's collector at work all the time,
// for a tenth of the processor time.
func (u *UnderWay) idleExpected() int { return u.expected / 4 }

// What may be under way however little memory there is.
const (
	leastBytes   = 64 << 10
	leastPending = 1 << 10
)

// UnderWayWith returns what may be under way where each of the three may take share bytes
// on a connection. That is less than the above where there are so many connections that they
// could take a large part of the memory together, as all upstreams may hang at the same time.
func UnderWayWith(share int) UnderWay {
	return UnderWay{
		queued:   min(maxQueued, max(leastBytes, share)),
		pending:  min(maxPending, max(leastPending, share/pendingSize)),
		expected: min(maxExpected, max(leastBytes, share)),
	}
}

// pendingSize is the size of a request that waits for its answer, in bytes.
const pendingSize = int(unsafe.Sizeof(Pending{}))

// HasRoom reports whether less is under way than a part of the limits: all of them
// if part is 1, half if it is 2. There has to be a connection.
func (c *Connection) HasRoom(part int) bool {
	most := &c.env.UnderWay
	return c.conn.Out.Size() < most.queued/part && c.pending.len() < most.pending/part && c.Expected.len() < most.expected/part
}

// Overfull reports whether even twice of what the limits allow is under way.
func (c *Connection) Overfull() bool {
	most := &c.env.UnderWay
	return c.conn.Out.Size() >= 2*most.queued || c.pending.len() >= 2*most.pending || c.Expected.len() >= 2*most.expected
}

// account counts what is kept of the requests that are under way.
func (c *Connection) account() {
	if n := cap(c.Expected.text) + len(c.pending.ring)*pendingSize; n != c.kept {
		c.keeps(n)
	}
}

// keeps counts n bytes instead of those that were counted last.
func (c *Connection) keeps(n int) {
	if n > c.kept {
		c.env.Pool.Account.Take(n - c.kept)
	} else {
		c.env.Pool.Account.Give(c.kept - n)
	}
	c.kept = n
}

// Memory returns how many bytes are kept of the requests that are under way.
func (c *Connection) Memory() int { return c.kept }
