package upstream

import "unsafe"

// What may be in flight on a connection before clients that send more are paused
// (back-pressure).
const (
	maxQueued   = 1 << 20  // bytes to be written
	maxPending  = 64 << 10 // pending requests
	maxExpected = 4 << 20  // bytes to compare replies with
)

// UnderWay limits what may be in flight on each connection of a loop.
type UnderWay struct{ queued, pending, expected int }

// idleExpected returns how much memory, in bytes, Expected keeps while no request is
// pending. It is large because allocating it again for each batch of gets of 100 keys
// kept the garbage collector busy, for a tenth of the processor time.
func (u *UnderWay) idleExpected() int { return u.expected / 4 }

// The lower bounds of the limits, however little memory there is.
const (
	leastBytes   = 64 << 10
	leastPending = 1 << 10
)

// UnderWayWith returns the limits if queued bytes, pending requests and bytes to compare may
// each take share bytes on a connection. With many connections that is less than the
// constants above, so that not too much memory is in use even if all upstreams hang at the
// same time.
func UnderWayWith(share int) UnderWay {
	return UnderWay{
		queued:   min(maxQueued, max(leastBytes, share)),
		pending:  min(maxPending, max(leastPending, share/pendingSize)),
		expected: min(maxExpected, max(leastBytes, share)),
	}
}

// pendingSize is the size of a pending request, in bytes.
const pendingSize = int(unsafe.Sizeof(Pending{}))

// HasRoom reports whether less is in flight than the limits divided by part: by 1 for
// the whole limits, by 2 for half of them. The connection must be open.
func (c *Connection) HasRoom(part int) bool {
	most := &c.env.UnderWay
	return c.conn.Out.Size() < most.queued/part && c.pending.len() < most.pending/part && c.Expected.len() < most.expected/part
}

// Overfull reports whether twice as much is in flight as the limits allow, or more.
func (c *Connection) Overfull() bool {
	most := &c.env.UnderWay
	return c.conn.Out.Size() >= 2*most.queued || c.pending.len() >= 2*most.pending || c.Expected.len() >= 2*most.expected
}

// account updates the account with the memory of pending requests.
func (c *Connection) account() {
	if n := cap(c.Expected.text) + len(c.pending.ring)*pendingSize; n != c.kept {
		c.keeps(n)
	}
}

// keeps replaces the bytes counted last by n.
func (c *Connection) keeps(n int) {
	if n > c.kept {
		c.env.Pool.Account.Take(n - c.kept)
	} else {
		c.env.Pool.Account.Give(c.kept - n)
	}
	c.kept = n
}

// Memory returns the memory of pending requests, in bytes.
func (c *Connection) Memory() int { return c.kept }
