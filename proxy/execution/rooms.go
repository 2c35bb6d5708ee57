package execution

import (
	"fmt"
	"slices"
	"time"

	"github.com/memverbs/memverbs/verbs"
)

// rooms reserves memory for verbs. A verb that finds a large structure asks for the
// memory it needs; if that is not free, it waits, and meanwhile holds room only for its
// arguments and its answer. Waiting verbs are served client by client in turn, however
// many verbs each client has (fairqueue.go).
type rooms struct {
	core     *core
	queue    fairQueue // of clients fewer than maxRooms of whose verbs have room
	gone     []*Caller // closed clients whose waiting verbs must be ended
	awaiting bool      // waiting for other loops to free memory
}

// room is the memory that is reserved for a verb.
type room struct {
	bytes     int    // arguments included
	arguments int    // the part for arguments
	counted   bool   // among the rooms of the caller
	wanted    int    // bytes that it waits for
	since     uint32 // tick at which the wait began
}

const (
	// maxRooms is how many verbs of one client may have room at a time, so that others
	// don't wait too long.
	maxRooms = 2
	// roomShare is how much of the budget a single verb may take, in quarters.
	roomShare = 3
	// buffersShare is the fraction of the budget that verbs leave to buffers.
	buffersShare = 8
)

// most returns the greatest room of a verb, in bytes.
func (q *rooms) most() int { return int(q.core.Account.Budget.Limit / 4 * roomShare) }

// try reserves n more bytes if they are free.
func (q *rooms) try(n int) bool {
	if !q.canHave(n) {
		return false
	}
	q.core.Account.Take(n)
	return true
}

// canHave is has, once what is kept for reuse has been freed if necessary.
func (q *rooms) canHave(n int) bool {
	if !q.has(n) {
		q.core.Shed()
	}
	return q.has(n)
}

// has reports whether there is room for n bytes more, and a part of the budget left
// for buffers.
func (q *rooms) has(n int) bool {
	return q.core.Account.Has(n + int(q.core.Account.Budget.Limit)/buffersShare)
}

// reserve raises the room of r to n bytes if they are free now. A verb without room
// must not overtake waiting ones.
func (q *rooms) reserve(r *Execution, n int) bool {
	if n > q.most() || r.room.bytes == 0 && q.queue.len() > 0 || !r.room.counted && r.caller.rooms >= maxRooms || !q.try(n-r.room.bytes) {
		return false
	}
	q.grant(r, n)
	return true
}

// grant sets the room of r to n bytes.
func (q *rooms) grant(r *Execution, n int) {
	if r.room.bytes = n; !r.room.counted {
		r.room.counted = true
		r.caller.rooms++
	}
	r.caller.served = q.core.Clock.Ticks
}

// await makes r wait for n bytes of room. It is resumed when it has them or is refused.
//
// While it waits it keeps only its arguments and what it has answered so far. Keeping these is no
// turn of its client, so the wait can time out. Nor do they count as arguments in use, which
// would keep large requests from being refused. Otherwise several such verbs could wait for each
// other for ever.
func (q *rooms) await(r *Execution, n int) {
	q.uncount(r)
	r.executor.arguments.remove(r)
	r.executor.idle.endCarrying(r)
	q.core.Clock.Start()
	r.room.wanted, r.room.since = n, q.core.Clock.Ticks
	r.caller.wants.insert(r)
	q.enqueue(r.caller)
}

func (q *rooms) enqueue(c *Caller) {
	if c.rooms < maxRooms {
		q.queue.enter(&c.wants)
	}
}

// shrink reduces the room of r to n bytes. A verb with room only for its arguments does
// not count towards maxRooms.
func (q *rooms) shrink(r *Execution, n int) {
	if r.room.bytes > n {
		q.core.Account.Give(r.room.bytes - n)
		r.room.bytes = n
	}
	if r.room.bytes <= r.room.arguments {
		q.uncount(r)
	}
}

// uncount stops counting r towards maxRooms.
func (q *rooms) uncount(r *Execution) {
	if r.room.counted {
		r.room.counted = false
		r.caller.rooms--
		r.caller.served = q.core.Clock.Ticks
		q.enqueue(r.caller)
	}
}

// end ends the wait of r with a reply.
func (q *rooms) end(r *Execution, reply verbs.Reply) {
	r.executor.arguments.add(r)
	r.resumeWith(reply)
}

// next grants room in turn, and reports whether any verb got some.
func (q *rooms) next() bool {
	went := false
	for _, c := range q.gone {
		went = q.refuse(c, func(*Execution) bool { return true }, "SERVER_ERROR the client is gone") || went
	}
	clear(q.gone)
	q.gone = q.gone[:0]
	for q.queue.len() > 0 {
		r := q.queue.at(0)
		if !q.try(r.room.wanted - r.room.bytes) {
			q.awaitOthers()
			break
		}
		q.queue.take(0)
		q.grant(r, r.room.wanted)
		q.enqueue(r.caller)
		q.end(r, verbs.Reply{Status: verbs.Stored})
		went = true
	}
	return went
}

// awaitOthers arranges a call of next when another loop has freed memory.
func (q *rooms) awaitOthers() {
	if q.core.Loops > 1 && !q.awaiting {
		q.awaiting = true
		q.core.Account.Budget.Await(func() { q.core.Post(func() { q.awaiting = false }) })
	}
}

// refuse refuses those waiting verbs of c that which selects, and reports whether there
// were any.
func (q *rooms) refuse(c *Caller, which func(*Execution) bool, why string) bool {
	refused := q.queue.pick(&c.wants, which)
	for _, r := range refused {
		q.end(r, verbs.Reply{Err: why})
	}
	return len(refused) > 0
}

// onTick refuses verbs whose client has had no turn for the time-out. It reports
// whether any verbs wait.
func (q *rooms) onTick() bool {
	timeout := q.core.Timeout
	for _, waiting := range slices.Clone(q.queue.lines) {
		if len(waiting.verbs) == 0 || waiting.verbs[0].caller.rooms > 0 {
			continue
		}
		c := waiting.verbs[0].caller
		q.refuse(c, func(r *Execution) bool {
			return q.core.Clock.Passed(later(r.room.since, c.served) + q.core.Clock.Span(timeout))
		}, tooBusy(timeout))
	}
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

func tooBusy(timeout time.Duration) string {
	return fmt.Sprintf("SERVER_ERROR too many large structures are read at once: no memory was free within %v; try again, or raise --buffer-memory", timeout)
}

// tooLarge returns the error for a verb that can never get n bytes.
func (q *rooms) tooLarge(n int) string {
	return fmt.Sprintf("SERVER_ERROR this takes %d MB of memory, and a single request may have %d; ask for less at once, or raise --buffer-memory",
		n>>20, q.most()>>20)
}
