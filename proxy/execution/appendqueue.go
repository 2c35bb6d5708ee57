package execution

import (
	"bytes"
	"slices"

	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// appendQueue is the queue of appends to one item. An append leaves it in one of these ways:
//
//	waiting ─▶ flight     as many as possible are joined and sent as one, unless a verb holds the item, or
//	                      they would overtake an append that was refused. Or a verb that holds the item
//	                      carries them out with its own change; if another change comes before that one,
//	                      they are sent before all others. While verbs decide on the item, those that are sent lead
//	                      as if they decided, see [structure.LeadAppend]
//	        ─▶ ready      it belongs to a batch, which is carried out as a whole
//	        ─▶ upstream   it can't be joined with others
//
// The replies are delivered at the end of the callback, see [appends.deliver].
type appendQueue struct {
	appends *appends
	item
	hash    uint64       // of key; for appendQueues
	same    *appendQueue // the next queue with the same hash; for appendQueues
	ended   bool         // it has been removed
	waiting []operation
	since   uint32 // tick at which the first of waiting became the first
	flight  flight
	hold    hold
}

// appendReply is the reply to an append that could not be sent or was taken along (takealong.go). Its
// execution has not got it yet.
type appendReply struct {
	operation
	reply verbs.Reply
}

// item is what verbs append to.
type item struct {
	owner     *pool.Member // where it is
	key       []byte
	structure []byte // key of the structure that it is a part of
}

// hold says how many verbs hold an item, and until when. It expires for all of them at once.
type hold struct {
	holders int
	place   int    // index of the queue in appends.held while there are holders
	until   uint32 // tick at which it expires
}

const (
	// maxJoined limits the data of appends that are joined into one, in bytes.
	maxJoined = 32 << 10
	// joinedShare limits the data of one append to the item size limit divided by
	// joinedShare, so that a single append does not make an item much too long.
	// memcached even deletes the item if the data of an append exceeds the limit.
	joinedShare = 4
)

// await adds an operation to the waiting ones.
func (q *appendQueue) await(this operation) {
	q.waiting = slices.Insert(q.waiting, q.placeFor(this.run), this)
	q.endRefusal(this.run)
	if len(q.waiting) == 1 {
		q.since = q.appends.core.Clock.Ticks
	}
}

// endRefusal is called when an append of r to the item of q is queued again after a refusal. Appends that
// waited for it go on at the end of the callback.
func (q *appendQueue) endRefusal(r *Execution) {
	if bytes.Equal(r.appended.refused, q.key) {
		q.appends.freed = append(q.appends.freed, q)
		r.setRefused(nil)
	}
}

// placeFor returns the index in waiting for an append of r: the end, or, if r comes
// back because the item was full, before later appends of the same client.
func (q *appendQueue) placeFor(r *Execution) int {
	if r.appended.queued {
		later := func(other operation) bool { return other.run.caller == r.caller && other.run.number > r.number }
		if i := slices.IndexFunc(q.waiting, later); i >= 0 {
			return i
		}
	}
	r.appended.queued = true
	return len(q.waiting)
}

// delays reports whether a batch with an append to the item has to wait.
func (q *appendQueue) delays() bool {
	return q.hold.holders > 0 || q.flight.state == takenAlong || len(q.waiting) > 0
}

// proceed sends what can be sent.
func (q *appendQueue) proceed() {
	for q.hold.holders == 0 && q.flight.state != takenAlong && len(q.waiting) > 0 {
		first := q.waiting[0]
		if first.run.overtakes(q.key) {
			return
		}
		if first.joins() {
			if q.flight.state != empty || structure.Gathers(q.appends.env, q.structure, q.key) {
				return
			}
			q.send()
			continue
		}
		q.waiting[0], q.waiting = operation{}, q.waiting[1:]
		q.since = q.appends.core.Clock.Ticks
		if len(first.run.trip.ops) > 1 && first.run.stage == delayed {
			q.appends.ready = append(q.appends.ready, first.run)
			continue
		}
		if reply, sent := q.appends.core.operate(q.owner, first.op(), upstream.Pending{Sink: first.run, Slot: first.n}); !sent {
			q.appends.replies = append(q.appends.replies, appendReply{first, reply})
		}
	}
	if q.hold.holders == 0 && q.flight.state == empty && len(q.waiting) == 0 {
		q.appends.remove(q)
	}
}

// send joins as many waiting appends as possible and sends them as one.
func (q *appendQueue) send() {
	first := q.waiting[0].op()
	f := &q.flight
	f.op = verbs.Op{Kind: first.Kind, Key: q.key, Of: q.structure, Data: first.Data, Exptime: first.Exptime}
	n := 1
	if len(q.waiting) > 1 {
		n = q.join(first)
	}
	q.waiting = f.fill(q.waiting, n)
	if f.led = structure.LeadAppend(q.appends.env, &f.op, n > 1); f.led.Leads() {
		f.state = f.state.leads()
	} else {
		f.state = f.state.sends()
	}
	q.since = q.appends.core.Clock.Ticks
	q.sendFlight()
}

// sendFlight sends the operation of the flight.
func (q *appendQueue) sendFlight() {
	if reply, sent := q.appends.core.operate(q.owner, &q.flight.op, upstream.Pending{Sink: q}); !sent {
		q.receive(reply)
	}
}

// join adds the data of as many appends as possible to the data of the first, and returns how many
// appends op joins then.
func (q *appendQueue) join(first *verbs.Op) int {
	most := min(maxJoined, q.owner.ItemLimit(first.Key)/joinedShare)
	joined := append(q.flight.data[:0], first.Data...)
	n := 1
	for ; n < len(q.waiting); n++ {
		next := q.waiting[n].op()
		if !q.waiting[n].joins() || q.waiting[n].run.overtakes(q.key) || !next.Joins(first) || len(joined)+len(next.Data) > most {
			break
		}
		joined = append(joined, next.Data...)
	}
	q.flight.data, q.flight.op.Data = joined, joined
	return n
}

// Answered implements [upstream.Sink].
func (q *appendQueue) Answered(_ *upstream.Pending, a *upstream.Answer) {
	q.receive(q.appends.core.parse(&q.flight.op, a))
}

// receive records the reply to the append in flight.
func (q *appendQueue) receive(reply verbs.Reply) {
	if q.flight.state == leading {
		q.receiveLed(reply)
		return
	}
	q.flight.state, q.flight.reply = q.flight.state.receives(), reply
	q.appends.answered = append(q.appends.answered, q)
}

// receiveLed takes the reply to appends that lead. If others have changed the structure, nothing was appended, and they are sent
// once more, as usual: then nothing can refuse them, and the next verb that decides has to read the structure anyway.
func (q *appendQueue) receiveLed(reply verbs.Reply) {
	f, a := &q.flight, q.appends
	f.led.Took(a.env, &f.op, reply)
	if reply.Status != verbs.Stored && reply.Status != verbs.Failed {
		f.op.Kind, f.op.CAS, f.op.Epoch = f.appends[0].op().Kind, 0, 0
		f.state = f.state.sends()
		q.sendFlight()
		return
	}
	reply.Grown = len(f.op.Data)
	for _, this := range f.appends {
		a.replies = append(a.replies, appendReply{this, reply})
		reply.Grown = 0 // only one of them compacts
	}
	f.end()
	a.freed = append(a.freed, q)
}
