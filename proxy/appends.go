package proxy

import (
	"bytes"
	"hash/maphash"
	"slices"

	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs"
)

// appends has what verbs append to one item go out together: while an append
// to it is under way, later ones wait and then become one. However many clients
// write to a set, a loop has one append to it under way at a time. And they
// wait while a verb holds the item, as it is about to swap it.
type appends struct {
	loop   *loop
	queues [1 << tableBits]*appendQueue // a hash table, see find
	idle   []*appendQueue
	held   []*appendQueue
	freed  []*appendQueue // not held any more, and perhaps not looked at since
}

// appendQueue is what is to be appended to one item.
type appendQueue struct {
	appends *appends
	key     []byte
	of      []byte // the structure of the item
	owner   *gate  // of the structure; two items with the same key may be on two upstreams
	hash    uint32
	next    *appendQueue // in the same place of the table
	listed  bool         // in the table
	op      verbs.Op     // under way
	flying  []asked      // whose data is in op
	waiting []asked
	holders int
	until   uint32 // the tick at which holding ends in any case
}

// asked is an operation of the execution of a verb.
type asked struct {
	run *execution
	n   uint32
}

func (a asked) op() *verbs.Op { return &a.run.ops[a.n] }

// joins reports whether the operation may go out as one with others. One that
// is asked along with others had better stay with them.
func (a asked) joins() bool { return len(a.run.ops) == 1 && a.op().Joins(a.op()) }

const (
	// maxJoined bounds the data of appends that go out as one, in bytes.
	maxJoined = 32 << 10
	// joinedShare is the part of what an item may hold that goes out as one at
	// most, lest a single append makes an item much too long: memcached even
	// deletes an item to which more is to be appended than any may hold.
	joinedShare = 4
)

// tableBits is for so many queues as there are in the worst of usual cases:
// one for each verb that is under way.
const tableBits = 12

var keySeed = maphash.MakeSeed()

func hashKey(key []byte) uint32 { return uint32(maphash.Bytes(keySeed, key)) }

// takes has an append wait or join others. It returns false if it can go out
// as it is.
func (a *appends) takes(r *execution, n uint32) bool {
	op := &r.ops[n]
	owner, hash := a.loop.locate(op.RoutingKey()), hashKey(op.Key)
	q := a.find(op.Key, owner, hash)
	this := asked{r, n}
	if q == nil {
		if !this.joins() {
			return false
		}
		q = a.queue(op.Key, op.RoutingKey(), owner, hash)
	}
	q.waiting = slices.Insert(q.waiting, q.placeFor(r), this)
	q.proceed()
	return true
}

// placeFor returns the place among those that wait for an append of r: behind
// all, but before what the client has asked for after r, if r has been here
// before and comes again, as there was no room.
func (q *appendQueue) placeFor(r *execution) int {
	if r.queued {
		later := func(other asked) bool { return other.run.client == r.client && other.run.number > r.number }
		if i := slices.IndexFunc(q.waiting, later); i >= 0 {
			return i
		}
	}
	r.queued = true
	return len(q.waiting)
}

// queue begins a queue for the item of a structure under key.
func (a *appends) queue(key, of []byte, owner *gate, hash uint32) *appendQueue {
	q := &appendQueue{appends: a}
	if n := len(a.idle); n > 0 {
		q, a.idle = a.idle[n-1], a.idle[:n-1]
	}
	q.key, q.of = append(q.key[:0], key...), append(q.of[:0], of...)
	q.owner, q.hash = owner, hash
	place := a.place(hash)
	q.next, *place, q.listed = *place, q, true
	return q
}

// place returns the start of the list of queues for keys with the hash.
func (a *appends) place(hash uint32) **appendQueue {
	return &a.queues[hash>>(32-tableBits)]
}

// find returns the queue for key on an upstream, nil if there is none.
func (a *appends) find(key []byte, owner *gate, hash uint32) *appendQueue {
	q := *a.place(hash)
	for q != nil && (q.hash != hash || q.owner != owner || !bytes.Equal(q.key, key)) {
		q = q.next
	}
	return q
}

// remove takes q out of the table.
func (a *appends) remove(q *appendQueue) {
	at := a.place(q.hash)
	for *at != q {
		at = &(*at).next
	}
	*at, q.next, q.listed = q.next, nil, false
}

// hold implements Hold of [structure.Env].
func (a *appends) hold(key []byte, on bool) {
	owner, hash := a.loop.locate(key), hashKey(key)
	q := a.find(key, owner, hash)
	switch {
	case on && q == nil:
		q = a.queue(key, key, owner, hash)
		fallthrough
	case on:
		if q.holders++; q.holders == 1 {
			a.held = append(a.held, q)
		}
		a.loop.clock.Start()
		q.until = a.loop.clock.After(a.loop.server.config.Timeout)
	case q == nil, q.holders == 0: // it was held for too long
	default:
		if q.holders--; q.holders == 0 {
			q.free()
		}
	}
}

// free ends holding. Who held may have something to append now, and that comes
// first, so the queue goes on when the callback ends.
func (q *appendQueue) free() {
	a := q.appends
	q.holders = 0
	a.held = slices.DeleteFunc(a.held, func(other *appendQueue) bool { return other == q })
	a.freed = append(a.freed, q)
}

// next has queues go on that are not held any more. It reports whether there
// were any.
func (a *appends) next() bool {
	n := len(a.freed)
	for i := 0; i < len(a.freed); i++ {
		a.freed[i].proceed()
	}
	clear(a.freed)
	a.freed = a.freed[:0]
	return n > 0
}

// onTick ends what has been held for too long. It reports whether there is
// anything held.
func (a *appends) onTick() bool {
	for i := len(a.held) - 1; i >= 0; i-- {
		if i < len(a.held) && a.loop.clock.Passed(a.held[i].until) {
			a.held[i].free()
		}
	}
	return len(a.held) > 0
}

// proceed sends what can be sent.
func (q *appendQueue) proceed() {
	for q.holders == 0 && len(q.waiting) > 0 {
		first := q.waiting[0]
		if first.joins() {
			if len(q.flying) > 0 {
				return
			}
			q.send()
			continue
		}
		q.waiting = q.waiting[1:]
		if reply, sent := q.appends.loop.operate(first.op(), upstream.Pending{Sink: first.run, Slot: first.n}); !sent {
			first.run.take(first.n, reply)
		}
	}
	if q.holders == 0 && len(q.waiting) == 0 && len(q.flying) == 0 {
		q.end()
	}
}

// end lets go of a queue that is empty.
func (q *appendQueue) end() {
	a := q.appends
	if !q.listed {
		return // it has ended meanwhile
	}
	a.remove(q)
	if len(a.idle) < maxRoutines && cap(q.op.Data) <= maxJoined && cap(q.waiting) <= maxExecutions {
		q.waiting = q.waiting[:0]
		a.idle = append(a.idle, q)
	}
}

// send joins as many of those that wait as it can and sends them.
func (q *appendQueue) send() {
	first := q.waiting[0].op()
	most := min(maxJoined, q.appends.loop.ItemLimit(q.of, q.key)/joinedShare)
	q.op = verbs.Op{Kind: first.Kind, Key: q.key, Of: q.of, Data: append(q.op.Data[:0], first.Data...), Exptime: first.Exptime}
	n := 1
	for ; n < len(q.waiting); n++ {
		next := q.waiting[n].op()
		if !q.waiting[n].joins() || !next.Joins(first) || len(q.op.Data)+len(next.Data) > most {
			break
		}
		q.op.Data = append(q.op.Data, next.Data...)
	}
	q.flying = append(q.flying[:0], q.waiting[:n]...)
	q.waiting = append(q.waiting[:0], q.waiting[n:]...)
	if reply, sent := q.appends.loop.operate(&q.op, upstream.Pending{Sink: q}); !sent {
		q.deliver(reply)
	}
}

// Answered implements [upstream.Sink].
func (q *appendQueue) Answered(_ *upstream.Pending, a *upstream.Answer) {
	q.deliver(q.appends.loop.parse(&q.op, a))
	q.proceed()
}

// deliver gives the reply to all who have asked. One of them is told of the
// growth, so that one does what there is to do about it.
func (q *appendQueue) deliver(reply verbs.Reply) {
	for _, f := range q.flying {
		f.run.take(f.n, reply)
		reply.Grown = 0
	}
	q.flying = q.flying[:0]
}
