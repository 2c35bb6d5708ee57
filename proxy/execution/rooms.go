package execution

import (
	"fmt"
	"slices"
	"time"

	"github.com/memverbs/memverbs/verbs"
)

// rooms gives verbs room in memory, before they fill it. A verb that finds a large
// structure asks for as much as that takes; if there is not so much, it waits, and
// holds nothing meanwhile. Those who wait are served client by client in turn,
// however many verbs each of them has under way.
type rooms struct {
	on       *core
	queue    []*Caller // with verbs that wait, and that have no more than maxRooms
	gone     []*Caller // with verbs that wait in vain
	awaiting bool      // other loops
}

const (
	// maxRooms is how many verbs of a client have room at a time, as others would
	// wait longer if it had more.
	maxRooms = 2
	// roomShare is the part of the budget that a single verb may take, in quarters.
	roomShare = 3
	// buffersShare is which part of it verbs leave to buffers.
	buffersShare = 8
)

// most returns for how many bytes a verb gets room.
func (q *rooms) most() int { return int(q.on.Account.Budget.Limit / 4 * roomShare) }

// try makes room for n bytes more, if there is so much.
func (q *rooms) try(n int) bool {
	if !q.has(n) {
		q.on.Shed()
	}
	if !q.has(n) {
		return false
	}
	q.on.Account.Take(n)
	return true
}

// has reports whether there is room for n bytes more, and a part of the budget left
// for buffers.
func (q *rooms) has(n int) bool {
	return q.on.Account.Has(n + int(q.on.Account.Budget.Limit)/buffersShare)
}

// reserve makes room for r at once, n bytes in all. Who has none yet must not
// overtake those who wait.
func (q *rooms) reserve(r *Execution, n int) bool {
	if n > q.most() || r.room == 0 && len(q.queue) > 0 || !r.counted && r.caller.rooms >= maxRooms || !q.try(n-r.room) {
		return false
	}
	q.grant(r, n)
	return true
}

// grant notes that r has room now for n bytes.
func (q *rooms) grant(r *Execution, n int) {
	if r.room = n; !r.counted {
		r.counted = true
		r.caller.rooms++
	}
	r.caller.served = q.on.Clock.Ticks
}

// await has r wait for room for n bytes in all. It is resumed when they are there,
// or refused.
func (q *rooms) await(r *Execution, n int) {
	c := r.caller
	q.settle(r, r.room)
	q.on.Clock.Start()
	r.wanted, r.since = n, q.on.Clock.Ticks
	c.wants = insert(c.wants, r)
	q.enqueue(c)
}

func (q *rooms) enqueue(c *Caller) {
	if !c.inQueue && len(c.wants) > 0 && c.rooms < maxRooms {
		c.inQueue = true
		q.queue = append(q.queue, c)
	}
}

// settle brings what r holds down to n bytes, as it has let go of the rest. One with
// nothing but its arguments does not count as one with room.
func (q *rooms) settle(r *Execution, n int) {
	if r.room > n {
		q.on.Account.Give(r.room - n)
		r.room = n
	}
	if r.counted && (r.room <= r.arguments) {
		r.counted = false
		r.caller.rooms--
		r.caller.served = q.on.Clock.Ticks
		q.enqueue(r.caller)
	}
}

// next gives room to those whose turn it is. It reports whether anybody could go on.
func (q *rooms) next() bool {
	went := false
	for _, c := range q.gone {
		went = q.refuse(c, func(*Execution) bool { return true }, "SERVER_ERROR the client is gone") || went
	}
	clear(q.gone)
	q.gone = q.gone[:0]
	for len(q.queue) > 0 {
		c := q.queue[0]
		if len(c.wants) > 0 && !q.try(c.wants[0].wanted-c.wants[0].room) {
			q.awaitOthers()
			break
		}
		takeFirst(&q.queue)
		if c.inQueue = false; len(c.wants) == 0 {
			continue
		}
		r := takeFirst(&c.wants)
		q.grant(r, r.wanted)
		q.enqueue(c)
		r.answer(verbs.Reply{Status: verbs.Stored})
		went = true
	}
	return went
}

// awaitOthers has next be called when another loop gives something back.
func (q *rooms) awaitOthers() {
	if q.on.Loops > 1 && !q.awaiting {
		q.awaiting = true
		q.on.Account.Budget.Await(func() { q.on.Post(func() { q.awaiting = false }) })
	}
}

// refuse refuses verbs of c that wait. It reports whether there were any.
func (q *rooms) refuse(c *Caller, which func(*Execution) bool, why string) bool {
	var refused []*Execution
	c.wants = slices.DeleteFunc(c.wants, func(r *Execution) bool {
		if which(r) {
			refused = append(refused, r)
		}
		return which(r)
	})
	for _, r := range refused {
		r.answer(verbs.Reply{Err: why})
	}
	return len(refused) > 0
}

// onTick refuses verbs whose client has had no turn for too long. It reports
// whether any wait.
func (q *rooms) onTick() bool {
	timeout := q.on.Timeout
	for _, c := range slices.Clone(q.queue) {
		if c.rooms > 0 {
			continue
		}
		q.refuse(c, func(r *Execution) bool {
			return q.on.Clock.Passed(later(r.since, c.served) + q.on.Clock.Span(timeout))
		}, tooBusy(timeout))
	}
	if len(q.queue) > 0 {
		q.on.RelieveVerbs()
	}
	return len(q.queue) > 0
}

// later returns the later one of two ticks.
func later(a, b uint32) uint32 {
	if int32(a-b) > 0 {
		return a
	}
	return b
}

func tooBusy(timeout time.Duration) string {
	return fmt.Sprintf("SERVER_ERROR too many large structures are read at once: no memory was free within %v; try again, or raise --buffer-memory", timeout)
}

// tooLarge is what a verb is told that never gets n bytes.
func (q *rooms) tooLarge(n int) string {
	return fmt.Sprintf("SERVER_ERROR this takes %d MB of memory, and a single request may have %d; ask for less at once, or raise --buffer-memory",
		n>>20, q.most()>>20)
}
