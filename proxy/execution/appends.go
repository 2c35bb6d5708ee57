package execution

import (
	"github.com/memverbs/memverbs/proxy/memory"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/verbs/structure"
)

// appends joins verbs' appends to one item: while an append is in flight, later ones wait
// and are then sent as one. So a loop has at most one append to a set in flight, however many
// clients write to it. Appends also wait while a verb holds the item because it is about to change
// it by compare-and-swap; that verb may take them along (takealong.go). Waiting verbs proceed at
// the end of the callback.
type appends struct {
	core     *core
	env      structure.Env
	queues   appendQueues
	idle     memory.Reuse[appendQueue]
	held     []*appendQueue
	freed    []*appendQueue // no longer held; deliver proceeds with them
	overdue  []*appendQueue // likewise, but proceeded with before another verb can hold them again
	answered []*appendQueue // with a reply that has not been delivered yet
	ready    []*Execution   // whose batches need not wait any more
	replies  []appendReply
}

// queueOf returns the queue of the item under key, a part of a structure, or nil if it has none.
func (a *appends) queueOf(structure, key []byte) *appendQueue {
	return a.queues.find(a.queues.hash(key), a.core.place(structure), key)
}

// enqueue queues operation n of r, or returns false if it need not wait or be joined.
func (a *appends) enqueue(r *Execution, n uint32) bool {
	op := &r.trip.ops[n]
	owner := r.ownerOf(op)
	hash := a.queues.hash(op.Key)
	q := a.queues.find(hash, owner, op.Key)
	this := operation{r, n}
	if q == nil {
		if !this.joins() {
			return false
		}
		q = a.newQueue(hash, owner, op.Key, op.RoutingKey())
	}
	q.await(this)
	q.proceed()
	return true
}

// delays queues a batch if one of its appends has to wait, and reports whether it did. The
// batch waits as a whole, because its operations are to be carried out in order.
func (a *appends) delays(r *Execution) bool {
	if len(r.trip.ops) == 1 || a.queues.none() {
		return false
	}
	for n := range r.trip.ops {
		op := &r.trip.ops[n]
		if !op.Appends() {
			continue
		}
		if q := a.queues.find(a.queues.hash(op.Key), r.ownerOf(op), op.Key); q != nil && q.delays() {
			q.await(operation{r, uint32(n)})
			return true
		}
	}
	return false
}

// newQueue adds a queue for an item of a structure. hash is the hash of the item's key.
func (a *appends) newQueue(hash uint64, owner *pool.Member, key, structure []byte) *appendQueue {
	q := a.idle.Take()
	if q.appends == nil { // it is new
		few := make([]operation, 4) // one allocation for all lists of the queue, which are used at the same time
		q.appends, q.flight.appends, q.waiting = a, few[:0:2], few[2:2]
	}
	q.item, q.ended = item{owner, append(q.key[:0], key...), append(q.structure[:0], structure...)}, false
	a.queues.add(hash, q)
	a.core.Work.begins()
	return q
}

// remove removes a queue that is empty, unless it has been removed.
func (a *appends) remove(q *appendQueue) {
	if q.ended {
		return
	}
	q.ended = true
	a.queues.remove(q)
	a.core.Work.ends()
	if cap(q.flight.data) <= maxJoined && cap(q.waiting) <= maxExecutions {
		q.waiting = q.waiting[:0]
		a.idle.Keep(q)
	}
}
