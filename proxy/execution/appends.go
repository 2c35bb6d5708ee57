package execution

import (
	"slices"

	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/upstream"
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

// appendQueue is the queue of appends to one item.
type appendQueue struct {
	appends   *appends
	owner     *pool.Member // where the item is
	key       []byte       // of the item
	structure []byte       // key of the structure of the item
	hash      uint64       // of key, and
	same      *appendQueue // another queue with the same hash, both for appendQueues
	ended     bool         // it has been removed
	op        verbs.Op     // in flight
	joined    []byte       // data of op, if that joins several appends
	inFlight  []operation  // the appends that op joins
	riding    []operation  // the appends that a verb which holds the item carries out
	reply     verbs.Reply  // the reply to op, once it has arrived
	waiting   []operation
	since     uint32 // tick at which one of waiting became the first
	holders   int
	place     int    // index in held of the appends, while there are holders
	until     uint32 // tick at which the hold expires
}

// operation is operation n of an execution.
type operation struct {
	run *Execution
	n   uint32
}

func (a operation) op() *verbs.Op { return &a.run.ops[a.n] }

// appendReply is the reply to an append that could not be sent or was taken along (riding.go). Its
// execution has not got it yet.
type appendReply struct {
	operation
	reply verbs.Reply
}

// joins reports whether the operation may be joined with others. An operation of a
// batch stays with its batch.
func (a operation) joins() bool { return len(a.run.ops) == 1 && a.op().Joins(a.op()) }

const (
	// maxJoined limits the data of appends that are joined into one, in bytes.
	maxJoined = 32 << 10
	// joinedShare limits the data of one append to the item size limit divided by
	// joinedShare, so that a single append does not make an item much too long.
	// memcached even deletes the item if the data of an append exceeds the limit.
	joinedShare = 4
)

// queueOf returns the queue of the item under key, a part of a structure, or nil if it has none.
func (a *appends) queueOf(structure, key []byte) *appendQueue {
	return a.queues.find(a.queues.hash(key), a.core.Pool.Owner(structure), key)
}

// enqueue queues operation n of r, or returns false if it need not wait or be joined.
func (a *appends) enqueue(r *Execution, n uint32) bool {
	op := &r.ops[n]
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
	if len(r.ops) == 1 || a.queues.none() {
		return false
	}
	for n := range r.ops {
		op := &r.ops[n]
		if !op.Appends() {
			continue
		}
		if q := a.queues.find(a.queues.hash(op.Key), r.ownerOf(op), op.Key); q != nil && (q.holders > 0 || len(q.waiting) > 0) {
			q.await(operation{r, uint32(n)})
			return true
		}
	}
	return false
}

// await adds an operation to those that wait.
func (q *appendQueue) await(this operation) {
	q.waiting = slices.Insert(q.waiting, q.placeFor(this.run), this)
	q.endRefusal(this.run)
	if len(q.waiting) == 1 {
		q.since = q.appends.core.Clock.Ticks
	}
}

// placeFor returns the index in waiting for an append of r: the end, or, if r comes
// back because the item was full, before later appends of the same client.
func (q *appendQueue) placeFor(r *Execution) int {
	if r.queued {
		later := func(other operation) bool { return other.run.caller == r.caller && other.run.number > r.number }
		if i := slices.IndexFunc(q.waiting, later); i >= 0 {
			return i
		}
	}
	r.queued = true
	return len(q.waiting)
}

// newQueue adds a queue for an item of a structure. hash is that of the item's key.
func (a *appends) newQueue(hash uint64, owner *pool.Member, key, structure []byte) *appendQueue {
	var q *appendQueue
	if n := len(a.idle); n > 0 {
		q, a.idle = a.idle[n-1], a.idle[:n-1]
	} else {
		few := make([]operation, 4) // together, since all parts of a queue are used at the same time
		q = &appendQueue{appends: a, inFlight: few[:0:2], waiting: few[2:2]}
	}
	q.owner, q.key, q.structure, q.ended = owner, append(q.key[:0], key...), append(q.structure[:0], structure...), false
	a.queues.add(hash, q)
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
		r.carryOut(r.ops)
	}
	return any
}

// proceed sends what can be sent.
func (q *appendQueue) proceed() {
	for q.holders == 0 && len(q.riding) == 0 && len(q.waiting) > 0 {
		first := q.waiting[0]
		if first.run.overtakes(q.key) {
			return
		}
		if first.joins() {
			if len(q.inFlight) > 0 {
				return
			}
			q.send()
			continue
		}
		q.waiting[0], q.waiting = operation{}, q.waiting[1:]
		q.since = q.appends.core.Clock.Ticks
		if len(first.run.ops) > 1 && !first.run.sending {
			q.appends.ready = append(q.appends.ready, first.run)
			continue
		}
		if reply, sent := q.appends.core.operate(q.owner, first.op(), upstream.Pending{Sink: first.run, Slot: first.n}); !sent {
			q.appends.replies = append(q.appends.replies, appendReply{first, reply})
		}
	}
	if q.holders == 0 && len(q.waiting)+len(q.inFlight)+len(q.riding) == 0 {
		q.end()
	}
}

// end removes a queue that is empty.
func (q *appendQueue) end() {
	a := q.appends
	if q.ended {
		return
	}
	q.ended = true
	a.queues.remove(q)
	if len(a.idle) < maxIdle && cap(q.joined) <= maxJoined && cap(q.waiting) <= maxExecutions {
		q.waiting = q.waiting[:0]
		a.idle = append(a.idle, q)
	}
}

// send joins as many waiting appends as possible and sends them as one.
func (q *appendQueue) send() {
	first := q.waiting[0].op()
	q.op = verbs.Op{Kind: first.Kind, Key: q.key, Of: q.structure, Data: first.Data, Exptime: first.Exptime}
	n := 1
	if len(q.waiting) > 1 {
		n = q.join(first)
	}
	q.inFlight = append(q.inFlight[:0], q.waiting[:n]...)
	q.waiting = slices.Delete(q.waiting, 0, n)
	q.since = q.appends.core.Clock.Ticks
	if reply, sent := q.appends.core.operate(q.owner, &q.op, upstream.Pending{Sink: q}); !sent {
		q.receive(reply)
	}
}

// join adds the data of as many appends as possible to that of the first, and returns how many
// appends op joins then.
func (q *appendQueue) join(first *verbs.Op) int {
	most := min(maxJoined, q.owner.ItemLimit(first.Key)/joinedShare)
	q.joined = append(q.joined[:0], first.Data...)
	n := 1
	for ; n < len(q.waiting); n++ {
		next := q.waiting[n].op()
		if !q.waiting[n].joins() || q.waiting[n].run.overtakes(q.key) || !next.Joins(first) || len(q.joined)+len(next.Data) > most {
			break
		}
		q.joined = append(q.joined, next.Data...)
	}
	q.op.Data = q.joined
	return n
}

// Answered implements [upstream.Sink].
func (q *appendQueue) Answered(_ *upstream.Pending, a *upstream.Answer) {
	q.receive(q.appends.core.parse(&q.op, a))
}

// receive records the reply to the append in flight.
func (q *appendQueue) receive(reply verbs.Reply) {
	q.reply = reply
	q.appends.answered = append(q.appends.answered, q)
}

// deliver passes the reply to all joined executions. Only the first gets the growth, so
// that only one of them compacts.
func (q *appendQueue) deliver() {
	if q.reply.Status == verbs.NotStored {
		for _, f := range q.inFlight { // before any of these goes on
			f.run.setRefused(q.key)
		}
	}
	for _, f := range q.inFlight {
		f.run.take(f.n, q.reply)
		q.reply.Grown = 0
	}
	// Both may refer to what verbs have read.
	clear(q.inFlight)
	q.inFlight, q.op.Data = q.inFlight[:0], nil
}
