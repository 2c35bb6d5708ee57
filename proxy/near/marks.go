package near

import (
	"sync/atomic"
	"time"
)

// marks say when keys were changed. Several keys share a mark, so that marks take the same memory whatever is changed; a
// change of another key with the same mark only makes a get ask its server again.
type marks [numMarks]mark

const numMarks = 1 << 12

// mark is what is known of the changes of some keys.
type mark struct {
	begun atomic.Int64 // how many changes have begun
	ended atomic.Int64 // how many of them have ended
	last  atomic.Int64 // when one ended last, by [Now]
}

// of returns the mark of a key, given its hash.
func (m *marks) of(hash uint64) *mark { return &m[hash%numMarks] }

// begin is called before a change is sent.
func (m *mark) begin() { m.begun.Add(1) }

// end is called when the reply to a change has arrived, or will never arrive, before its client is answered.
func (m *mark) end() {
	for now := Now(); ; {
		last := m.last.Load()
		if last >= now || m.last.CompareAndSwap(last, now) {
			break
		}
	}
	m.ended.Add(1) // only now, so that a change is under way or has a time
}

// quietSince reports whether no change is under way, and none has ended at the time since or later. The first is there for
// a client that sends a get right after a change, without waiting for its reply.
func (m *mark) quietSince(since int64) bool {
	return m.begun.Load() == m.ended.Load() && m.last.Load() < since
}

var start = time.Now()

// Now returns the time in microseconds since the process started.
func Now() int64 { return time.Since(start).Microseconds() }
