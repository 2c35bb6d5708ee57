package execution

import (
	"fmt"
	"slices"
)

// reservations reserves memory for verbs. A verb that finds a large structure asks for the memory that it
// needs. If so much is not free, it waits, and meanwhile keeps only the memory for its arguments
// and its answer. Clients are served round-robin, however many verbs of each wait (fairqueue.go).
type reservations struct {
	core     *core
	queue    fairQueue // without clients that have maxReservations verbs with reserved memory
	gone     []*Caller // closed clients whose waiting verbs must be ended
	awaiting bool      // waiting for other loops to free memory
}

const (
	// maxReservations is how many verbs of one client may have memory reserved at a time, so that others
	// don't wait too long.
	maxReservations = 2
	// reservedShare is how much of the budget a single verb may take, in quarters.
	reservedShare = 3
	// buffersShare is the fraction of the budget that verbs leave to buffers.
	buffersShare = 8
)

// most returns the most memory that a verb may reserve, in bytes.
func (q *reservations) most() int { return int(q.core.Account.Budget.Limit / 4 * reservedShare) }

// try reserves n more bytes if they are free.
func (q *reservations) try(n int) bool {
	if !q.canHave(n) {
		return false
	}
	q.core.Account.Take(n)
	return true
}

// canHave is like has, but frees what is kept for reuse if necessary.
func (q *reservations) canHave(n int) bool {
	if !q.has(n) {
		q.core.Shed()
	}
	return q.has(n)
}

// has reports whether n more bytes are free, apart from the part of the budget that is left to
// buffers.
func (q *reservations) has(n int) bool {
	return q.core.Account.Has(n + int(q.core.Account.Budget.Limit)/buffersShare)
}

// reserve raises the memory of r to n bytes in total if they are free now. A verb that has reserved
// nothing must not overtake waiting ones.
func (q *reservations) reserve(r *Execution, n int) bool {
	if n > q.most() || r.reserved.bytes == 0 && q.queue.len() > 0 || !r.reserved.counted && r.caller.reservations >= maxReservations || !q.try(n-r.reserved.bytes) {
		return false
	}
	q.grant(r, n)
	return true
}

// grant sets the reserved memory of r to n bytes.
func (q *reservations) grant(r *Execution, n int) {
	if r.reserved.bytes = n; !r.reserved.counted {
		r.reserved.counted = true
		r.caller.reservations++
	}
	r.caller.served = q.core.Clock.Ticks
}

// await makes r wait for n bytes in total. It is resumed when it has them or is refused. While it waits, it
// keeps only its arguments and what it has answered so far. A verb that keeps no more does not count as
// served, so the wait can time out.
func (q *reservations) await(r *Execution, n int) {
	q.uncount(r)
	q.core.Clock.Start()
	r.reserved.wanted, r.reserved.since = n, q.core.Clock.Ticks
	r.caller.wants.insert(r)
	q.enqueue(r.caller)
}

func (q *reservations) enqueue(c *Caller) {
	if c.reservations < maxReservations {
		q.queue.enter(&c.wants)
	}
}

// shrink reduces the memory of r to n bytes. A verb that has memory only for its arguments does not
// count towards maxReservations.
func (q *reservations) shrink(r *Execution, n int) {
	if r.reserved.bytes > n {
		q.core.Account.Free(r.reserved.bytes - n)
		r.reserved.bytes = n
	}
	if r.reserved.bytes <= r.reserved.arguments {
		q.uncount(r)
	}
}

// uncount stops counting r towards maxReservations.
func (q *reservations) uncount(r *Execution) {
	if r.reserved.counted {
		r.reserved.counted = false
		r.caller.reservations--
		r.caller.served = q.core.Clock.Ticks
		q.enqueue(r.caller)
	}
}

// next grants memory to the next waiting verb, and removes it from the queue. It returns nil if none
// waits, or there is not enough.
func (q *reservations) next() *Execution {
	if q.queue.len() == 0 {
		return nil
	}
	r := q.queue.at(0)
	if !q.try(r.reserved.wanted - r.reserved.bytes) {
		q.awaitOthers()
		return nil
	}
	q.queue.take(0)
	q.grant(r, r.reserved.wanted)
	q.enqueue(r.caller)
	return r
}

// ofGone removes the waiting verbs whose clients are gone from the queue, but for those that other clients' verbs wait for:
// these would be refused with them, perhaps after they have taken effect.
func (q *reservations) ofGone() (verbs []*Execution) {
	for _, c := range q.gone {
		verbs = append(verbs, q.queue.pick(&c.wants, func(r *Execution) bool { return !r.routine.Serves() })...)
	}
	clear(q.gone)
	q.gone = q.gone[:0]
	return verbs
}

// awaitOthers arranges a call of next when another loop has freed memory.
func (q *reservations) awaitOthers() {
	if q.core.Loops > 1 && !q.awaiting {
		q.awaiting = true
		q.core.Account.Budget.Await(func() { q.core.Post(func() { q.awaiting = false }) })
	}
}

// overdue removes the waiting verbs of clients that were not served for the time-out.
func (q *reservations) overdue() (verbs []*Execution) {
	for _, waiting := range slices.Clone(q.queue.lines) {
		c := waiting.verbs[0].caller
		if c.reservations > 0 {
			continue
		}
		verbs = append(verbs, q.queue.pick(waiting, func(r *Execution) bool {
			return q.core.Clock.Passed(later(r.reserved.since, c.served) + q.core.Clock.Span(q.core.Timeout))
		})...)
	}
	return verbs
}

// onTick has memory freed if verbs wait for it, and reports whether any do.
func (q *reservations) onTick() bool {
	if q.queue.len() > 0 {
		q.core.RelieveVerbs()
	}
	return q.queue.len() > 0
}

// later returns the later one of two ticks.
func later(a, b uint32) uint32 {
	if int32(a-b) > 0 {
		return a
	}
	return b
}

// tooBusy returns the error for a verb that has waited too long.
func (q *reservations) tooBusy() string {
	return fmt.Sprintf("SERVER_ERROR too many large structures are read at once: no memory was free within %v; try again, or raise --buffer-memory", q.core.Timeout)
}

// tooLarge returns the error for a verb that can never get n bytes.
func (q *reservations) tooLarge(n int) string {
	return fmt.Sprintf("SERVER_ERROR this takes %d MB of memory, and a single request may have %d; ask for less at once, or raise --buffer-memory",
		n>>20, q.most()>>20)
}
