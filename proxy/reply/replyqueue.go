package reply

import (
	"unsafe"

	"github.com/memverbs/memverbs/proxy/latency"
	"github.com/memverbs/memverbs/proxy/memory"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/transport"
)

// slot is one reply in a client's reply queue.
type slot struct {
	data []byte // the reply, in a buffer of the pool, if it is ready before earlier ones are sent
	Long *LongRetrieval
	Measure
	weight uint16 // greatest number of values that the reply may have
	state  slotState
}

// slotState is how far a reply has come:
//
//	awaited ──▶ ready or failed ──its turn──▶ the slot is empty
//
// Its turn is when all earlier replies have been sent. A part of the first reply may have been sent
// while it is awaited.
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

// Measure is what is measured of a request until its reply is sent.
type Measure struct {
	Meter *Meter // that counts it; nil for a part of a long retrieval that is not the last
	Trace *Trace // nil unless it may become a slow request
	Began latency.Stamp
	Kind  Kind
	Quiet bool // an error is not sent, as in a multi-get
}

// LongRetrieval is shared by the parts of a long retrieval: an error ends the whole
// reply, so later parts send nothing.
type LongRetrieval struct {
	Began  latency.Stamp // when its first part was received
	Failed bool
	ending status.Ending // of the whole retrieval, so far
}

// Queue holds a client's replies in the order of its requests, whichever
// upstream answers first.
type Queue struct {
	*Common
	ring       []slot // its length is a power of two, or 0
	Head, Tail uint32
	Weight     int            // sum of the weights of unfilled slots
	Held       int            // bytes of replies that wait for earlier ones
	Begun      int            // bytes of the first reply that have been sent; 0 if it has not begun
	Long       *LongRetrieval // of the retrieval whose parts are being read
	Binary     *Packets       // makes packets of the replies; nil if the client speaks the text protocol
}

func (q *Queue) Len() int { return int(q.Tail - q.Head) }

func (q *Queue) At(n uint32) *slot { return &q.ring[n&uint32(len(q.ring)-1)] }

// HasBegun reports whether a part of reply n has been sent.
func (q *Queue) HasBegun(n uint32) bool { return q.Begun > 0 && n == q.Head }

// Reserve adds a slot for the reply to the next request.
func (q *Queue) Reserve(weight int, long *LongRetrieval) uint32 {
	if q.Len() == len(q.ring) {
		q.grow()
	}
	n := q.Tail
	q.Tail++
	s := q.At(n) // is empty
	s.weight, s.Long, s.Measure = uint16(weight), long, q.Next
	q.Next.Trace, q.Next.Quiet = nil, false
	q.Weight += weight
	if q.Binary != nil {
		q.Binary.reserve()
	}
	return n
}

// grow doubles the ring, from one slot: most of thousands of clients await one reply at a time, if any.
func (q *Queue) grow() {
	if len(q.ring) == 0 {
		q.ring = q.takeRing()
		return
	}
	ring := make([]slot, 2*len(q.ring))
	for n := q.Head; n != q.Tail; n++ {
		ring[n&uint32(len(ring)-1)] = *q.At(n)
	}
	q.Account.Take((len(ring) - len(q.ring)) * slotSize)
	q.ring = ring
}

// slotSize is the size of a slot, in bytes.
const slotSize = int(unsafe.Sizeof(slot{}))

// Memory returns the memory of the queue, in bytes.
func (q *Queue) Memory() int {
	n := q.Held + len(q.ring)*slotSize
	if q.Binary != nil {
		n += q.Binary.memory()
	}
	return n
}

// forget frees the memory of the queue, which will not be used any more.
func (q *Queue) forget() {
	if q.Binary != nil {
		q.Binary.Shed()
	}
	q.forgetRing()
}

func (q *Queue) forgetRing() {
	q.Account.Free(len(q.ring) * slotSize)
	q.ring, q.Head, q.Tail = nil, 0, 0
}

// Fill sets the reply of slot n. If it is the first outstanding one, it is sent at once, and so are
// those that have waited for it. owned says that data is a whole buffer of the pool that Fill may
// take over; Fill reports whether it did.
func (q *Queue) Fill(n uint32, data []byte, owned, fail bool, out *transport.Output) (taken bool) {
	this := q.At(n)
	this.state = stateOf(fail)
	q.Weight -= int(this.weight)
	if n != q.Head {
		if taken = owned; taken {
			this.data = data
		} else if len(data) > 0 { // an empty slice may still refer to somebody else's buffer
			this.data = append(out.Buffers.Get(len(data)), data...)
		}
		q.Held += cap(this.data)
		if this.Trace != nil {
			this.Trace.ready, this.Trace.early = q.Timing.Stamp(), true
		}
		return taken
	}
	switch sends := q.sends(this, data); {
	case !sends:
	case q.Binary != nil:
		taken = q.Binary.send(data, owned, out)
	case owned:
		out.Own(data, 0)
		taken = true
	default:
		out.Write(data)
	}
	*this = slot{}
	q.Head++
	q.advance(out)
	return taken
}

// sends reports whether to send the reply, and counts it. It records an error in a long
// retrieval, after which the rest of that is not sent.
func (q *Queue) sends(this *slot, reply []byte) bool {
	if this.Long != nil && this.Long.Failed {
		q.ended(this, this.Long.ending)
		return false
	}
	how := status.OK
	if this.state == failed {
		how = CountError(q.Counts, reply)
		if q.Binary != nil {
			q.Binary.failed(q.Head)
		}
		if this.Long != nil {
			this.Long.Failed, this.Long.ending = true, how
		}
	}
	q.ended(this, how)
	return this.state != failed || !this.Quiet
}

// ended counts the end of the request of a reply.
func (q *Queue) ended(this *slot, how status.Ending) {
	if this.Meter == nil {
		return
	}
	took := q.Timing.Stamp().Since(this.Began)
	this.Meter.ended(this.Kind, how, took)
	if this.Trace != nil {
		q.Timing.finish(this.Kind, this.Trace, took)
	}
}

// keptSlots is the capacity, in replies, that an empty queue keeps at most. It keeps none for a single reply, since
// most of thousands of clients await none.
const keptSlots = 64

// advance sends the replies that are ready, up to the first that is not.
func (q *Queue) advance(out *transport.Output) {
	for q.Head != q.Tail {
		next := q.At(q.Head)
		if next.state == awaited {
			return
		}
		q.Held -= cap(next.data)
		switch {
		case !q.sends(next, next.data):
			out.Buffers.Put(next.data)
		case q.Binary != nil:
			if !q.Binary.send(next.data, true, out) {
				out.Buffers.Put(next.data)
			}
		case len(next.data) >= transport.OwnBuffer:
			out.Own(next.data, 0)
		default:
			out.Write(next.data)
			out.Buffers.Put(next.data)
		}
		*next = slot{}
		q.Head++
	}
	switch {
	case len(q.ring) == 1:
		q.keepRing(q.ring)
		q.ring = nil
	case len(q.ring) > keptSlots:
		q.forgetRing()
		if q.Binary != nil {
			q.Binary.trim()
		}
	}
}

// Drop frees all waiting replies and the ring.
func (q *Queue) Drop(p *memory.Pool) {
	for n := q.Head; n != q.Tail; n++ {
		this := q.At(n)
		p.Put(this.data)
		if this.Meter != nil {
			this.Meter.Results[this.Kind][status.Abandoned]++
		}
		*q.At(n) = slot{}
	}
	q.Weight, q.Held = 0, 0
	q.forget()
}
