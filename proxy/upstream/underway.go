package upstream

import "unsafe"

// How much may be in flight on a connection before clients that send more are blocked
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
