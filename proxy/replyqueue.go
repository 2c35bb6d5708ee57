package proxy

import (
	"unsafe"

	"github.com/memverbs/memverbs/proxy/latency"
	"github.com/memverbs/memverbs/proxy/memory"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/transport"
)

// slot is one reply in a client's reply queue.
type slot struct {
	data []byte // the reply, in a buffer of the pool, if it is ready before its turn
	long *longRetrieval
	stamp
	weight uint16 // greatest number of values that the reply may have
	state  slotState
}

// slotState is how far a reply has come:
//
//	awaited ──▶ ready or failed ──its turn──▶ the slot is empty
//
// A part of the first reply may have been sent while it is awaited.
type slotState uint8

const (
	awaited slotState = iota
	ready
	failed // ready, and it is an error
)

// stateOf returns the state of a reply that is ready. fail says that it is an error.
func stateOf(fail bool) slotState {
	if fail {
		return failed
	}
	return ready
}

// stamp is what is measured of a request until its reply is sent.
type stamp struct {
	meter *meter // that counts it; nil for a part of a long retrieval that is not the last
	trace *trace // nil unless it may become a slow request
	began latency.Stamp
	kind  kind
	quiet bool // an error is not sent: see [client.hushes]
}

// longRetrieval is shared by the parts of a long retrieval: an error ends the whole
// reply, so later parts send nothing.
type longRetrieval struct {
	began  latency.Stamp // when its first part was received
	failed bool
	ending ending // of the whole retrieval, so far
}

// replyQueue holds a client's replies in the order of its requests, whichever
// upstream answers first.
type replyQueue struct {
	ring       []slot // its length is a power of two
	head, tail uint32
	weight     int             // sum of the weights of unfilled slots
	held       int             // bytes of replies that wait for their turn
	begun      int             // bytes of the first reply that have been sent; 0 if it has not begun
	long       *longRetrieval  // of the retrieval whose parts are being read
	counts     *status.Counts  // of errors
	account    *memory.Account // counts the ring
	next       stamp           // of the reply that is reserved next
	timing     *timing
	binary     *binaryClient // makes packets of the replies; nil if the client speaks the text protocol
}

func (q *replyQueue) len() int { return int(q.tail - q.head) }

func (q *replyQueue) at(n uint32) *slot { return &q.ring[n&uint32(len(q.ring)-1)] }

// hasBegun reports whether a part of reply n has been sent.
func (q *replyQueue) hasBegun(n uint32) bool { return q.begun > 0 && n == q.head }

// reserve adds a slot for the reply to the next request.
func (q *replyQueue) reserve(weight int, long *longRetrieval) uint32 {
	if q.len() == len(q.ring) {
		q.grow()
	}
	n := q.tail
	q.tail++
	s := q.at(n) // is empty
	s.weight, s.long, s.stamp = uint16(weight), long, q.next
	q.next.trace, q.next.quiet = nil, false
	q.weight += weight
	if q.binary != nil {
		q.binary.reserve()
	}
	return n
}

// grow doubles the ring, from one slot: most of thousands of clients await one reply at a time.
func (q *replyQueue) grow() {
	ring := make([]slot, max(1, 2*len(q.ring)))
	for n := q.head; n != q.tail; n++ {
		ring[n&uint32(len(ring)-1)] = *q.at(n)
	}
	q.account.Take((len(ring) - len(q.ring)) * slotSize)
	q.ring = ring
}

// slotSize is the size of a slot, in bytes.
const slotSize = int(unsafe.Sizeof(slot{}))

// memory returns the memory of the queue, in bytes.
func (q *replyQueue) memory() int {
	n := q.held + len(q.ring)*slotSize
	if q.binary != nil {
		n += q.binary.memory()
	}
	return n
}

// forget frees the memory of the queue, which will not be used any more.
func (q *replyQueue) forget() {
	if q.binary != nil {
		q.binary.shed()
	}
	q.forgetRing()
}

func (q *replyQueue) forgetRing() {
	q.account.Give(len(q.ring) * slotSize)
	q.ring, q.head, q.tail = nil, 0, 0
}

// fill sets the reply of slot n. If it is its turn, it is sent at once, and so are
// those that have waited for it. owned says that data is a whole buffer of the pool
// that fill may take over; fill reports whether it has.
func (q *replyQueue) fill(n uint32, data []byte, owned, fail bool, out *transport.Output) (taken bool) {
	this := q.at(n)
	this.state = stateOf(fail)
	q.weight -= int(this.weight)
	if n != q.head {
		if taken = owned; taken {
			this.data = data
		} else if len(data) > 0 { // an empty slice may still refer to another's buffer
			this.data = append(out.Pool.Get(len(data)), data...)
		}
		q.held += cap(this.data)
		if this.trace != nil {
			this.trace.ready, this.trace.early = q.timing.Stamp(), true
		}
		return taken
	}
	switch sends := q.sends(this, data); {
	case !sends:
	case q.binary != nil:
		taken = q.binary.send(data, owned, out)
	case owned:
		out.Own(data, 0)
		taken = true
	default:
		out.Write(data)
	}
	*this = slot{}
	q.head++
	q.advance(out)
	return taken
}

// sends reports whether to send the reply, and counts it. It records an error in a long
// retrieval, after which the rest of that is not sent.
func (q *replyQueue) sends(this *slot, reply []byte) bool {
	if this.long != nil && this.long.failed {
		q.ended(this, this.long.ending)
		return false
	}
	how := good
	if this.state == failed {
		how = countError(q.counts, reply)
		if q.binary != nil {
			q.binary.failed(q.head)
		}
		if this.long != nil {
			this.long.failed, this.long.ending = true, how
		}
	}
	q.ended(this, how)
	return this.state != failed || !this.quiet
}

// ended counts the end of the request of a reply.
func (q *replyQueue) ended(this *slot, how ending) {
	if this.meter == nil {
		return
	}
	took := q.timing.Stamp().Since(this.began)
	this.meter.ended(this.kind, how, took)
	if this.trace != nil {
		q.timing.finish(this.kind, this.trace, took)
	}
}

// keptSlots is the capacity, in replies, that an empty queue keeps.
const keptSlots = 64

// advance sends the replies whose turn it is.
func (q *replyQueue) advance(out *transport.Output) {
	for q.head != q.tail {
		next := q.at(q.head)
		if next.state == awaited {
			return
		}
		q.held -= cap(next.data)
		switch {
		case !q.sends(next, next.data):
			out.Pool.Put(next.data)
		case q.binary != nil:
			if !q.binary.send(next.data, true, out) {
				out.Pool.Put(next.data)
			}
		case len(next.data) >= transport.OwnBuffer:
			out.Own(next.data, 0)
		default:
			out.Write(next.data)
			out.Pool.Put(next.data)
		}
		*next = slot{}
		q.head++
	}
	if len(q.ring) > keptSlots {
		q.forgetRing()
		if q.binary != nil {
			q.binary.trim()
		}
	}
}

// drop frees all waiting replies and the ring.
func (q *replyQueue) drop(p *memory.Pool) {
	for n := q.head; n != q.tail; n++ {
		this := q.at(n)
		p.Put(this.data)
		if this.meter != nil {
			this.meter.results[this.kind].Abandoned++
		}
		*q.at(n) = slot{}
	}
	q.weight, q.held = 0, 0
	q.forget()
}
