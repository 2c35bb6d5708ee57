package execution

import (
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/verbs"
)

// appends joins verbs' appends to one item: while an append is in flight, later ones wait
// and are then sent as one. So however many clients write to a set, a loop has one append
// to it in flight. Appends also wait while a verb holds the item because it is about to
// change it under a CAS, which may take them along (riding.go). Waiting verbs proceed at the end
// of the callback.
type appends struct {
	core     *core
	queues   appendQueues
	idle     []*appendQueue
	held     []*appendQueue
	freed    []*appendQueue // no longer held; next proceeds with them
	overdue  []*appendQueue // likewise, but before any other verb can hold them again
	answered []*appendQueue // with a reply that has not been delivered yet
	ready    []*Execution   // batches that need not wait any more
	replies  []appendReply
}

// operation is operation n of an execution.
type operation struct {
	run *Execution
	n   uint32
}

func (a operation) op() *verbs.Op { return &a.run.trip.ops[a.n] }

// appendReply is the reply to an append that could not be sent or was taken along (riding.go). Its
// execution has not got it yet.
type appendReply struct {
	operation
	reply verbs.Reply
}

// joins reports whether the operation may be joined with others. An operation of a
// batch stays with its batch.
func (a operation) joins() bool { return len(a.run.trip.ops) == 1 && a.op().Joins(a.op()) }

// queueOf returns the queue of the item under key, a part of a structure, or nil if it has none.
func (a *appends) queueOf(structure, key []byte) *appendQueue {
	return a.queues.find(a.queues.hash(key), a.core.Pool.Owner(structure), key)
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

// newQueue adds a queue for an item of a structure. hash is that of the item's key.
func (a *appends) newQueue(hash uint64, owner *pool.Member, key, structure []byte) *appendQueue {
	var q *appendQueue
	if n := len(a.idle); n > 0 {
		q, a.idle = a.idle[n-1], a.idle[:n-1]
	} else {
		few := make([]operation, 4) // together, since all parts of a queue are used at the same time
		q = &appendQueue{appends: a, flight: flight{appends: few[:0:2]}, waiting: few[2:2]}
	}
	q.item, q.ended = item{owner, append(q.key[:0], key...), append(q.structure[:0], structure...)}, false
	a.queues.add(hash, q)
	a.core.Work.begins()
	return q
}

// next delivers the replies to appends, and proceeds with the queues that are no longer
// held. It is called at the end of the callback, so that no verb is resumed inside
// another one. It reports whether there were any.
func (a *appends) next() bool {
	any := len(a.replies)+len(a.answered)+len(a.freed)+len(a.ready) > 0
	for len(a.replies) > 0 {
		first := a.replies[0]
		a.replies[0], a.replies = appendReply{}, a.replies[1:]
		first.run.take(first.n, first.reply)
	}
	for i := 0; i < len(a.answered); i++ { // meanwhile, more may be answered
		a.answered[i].deliver()
		a.answered[i].proceed()
	}
	clear(a.answered)
	a.answered = a.answered[:0]
	for len(a.freed) > 0 {
		takeFirst(&a.freed).proceed()
	}
	for len(a.ready) > 0 {
		r := takeFirst(&a.ready)
		r.carryOut(r.trip.ops)
	}
	return any
}
