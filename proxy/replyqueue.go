package proxy

import (
	"unsafe"

	"github.com/memverbs/memverbs/proxy/memory"
	"github.com/memverbs/memverbs/proxy/transport"
)

// slot is the place of one request's reply among a client's replies.
type slot struct {
	data   []byte // the reply, in a buffer of the pool, if it came before its turn
	of     *longRetrieval
	weight uint16 // how many replies of upstreams it stands for
	done   bool
	fail   bool // the reply is an error that ends the reply to a long retrieval
}

// longRetrieval is what the parts of one long retrieval share: after an error, which
// ends its reply, nothing more of it must be said.
type longRetrieval struct{ failed bool }

// replyQueue holds a client's replies in the order of its requests, whichever
// upstream answers first.
type replyQueue struct {
	ring       []slot // its length is a power of two
	head, tail uint32
	weight     int // of the slots that are not done
	held       int // bytes of buffers with what waits for its turn
	errors     *errorCounts
	account    *memory.Account // counts the ring
}

func (q *replyQueue) len() int { return int(q.tail - q.head) }

func (q *replyQueue) at(n uint32) *slot { return &q.ring[n&uint32(len(q.ring)-1)] }

// reserve makes a place for the reply to the next request.
func (q *replyQueue) reserve(weight int, of *longRetrieval) uint32 {
	if q.len() == len(q.ring) {
		q.grow()
	}
	n := q.tail
	q.tail++
	*q.at(n) = slot{weight: uint16(weight), of: of}
	q.weight += weight
	return n
}

func (q *replyQueue) grow() {
	ring := make([]slot, max(4, 2*len(q.ring)))
	for n := q.head; n != q.tail; n++ {
		ring[n&uint32(len(ring)-1)] = *q.at(n)
	}
	q.account.Take((len(ring) - len(q.ring)) * slotSize)
	q.ring = ring
}

// slotSize is the size of a slot, in bytes.
const slotSize = int(unsafe.Sizeof(slot{}))

// memory returns how many bytes are kept.
func (q *replyQueue) memory() int { return q.held + len(q.ring)*slotSize }

// forget lets go of the ring, which is empty.
func (q *replyQueue) forget() {
	q.account.Give(len(q.ring) * slotSize)
	q.ring, q.head, q.tail = nil, 0, 0
}

// fill sets the reply of slot n. It goes out at once if it is its turn, and so
// do those that had waited for it. If data is a whole buffer of the pool that
// may be taken, owned says so; fill reports whether it took it.
func (q *replyQueue) fill(n uint32, data []byte, owned, fail bool, out *transport.Output) (taken bool) {
	this := q.at(n)
	this.done, this.fail = true, fail
	q.weight -= int(this.weight)
	if n != q.head {
		if taken = owned; taken {
			this.data = data
		} else if len(data) > 0 { // what is empty may still be a part of somebody's buffer
			this.data = append(out.Pool.Get(len(data)), data...)
		}
		q.held += cap(this.data)
		return taken
	}
	if q.speaks(this, data) {
		if taken = owned; taken {
			out.Own(data, 0)
		} else {
			out.Write(data)
		}
	}
	*this = slot{}
	q.head++
	q.advance(out)
	return taken
}

// speaks reports whether the reply is to be sent, and notes if it is an error,
// after which a long retrieval is told nothing more.
func (q *replyQueue) speaks(this *slot, reply []byte) bool {
	if this.of != nil && this.of.failed {
		return false
	}
	if this.fail {
		q.errors.count(reply)
		if this.of != nil {
			this.of.failed = true
		}
	}
	return true
}

// keptSlots is for how many replies room is kept while none is waited for.
const keptSlots = 64

// advance sends the replies whose turn it is.
func (q *replyQueue) advance(out *transport.Output) {
	for q.head != q.tail {
		next := q.at(q.head)
		if !next.done {
			return
		}
		q.held -= cap(next.data)
		switch {
		case !q.speaks(next, next.data):
			out.Pool.Put(next.data)
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
		q.forget()
	}
}

// drop forgets all replies that wait.
func (q *replyQueue) drop(p *memory.Pool) {
	for n := q.head; n != q.tail; n++ {
		p.Put(q.at(n).data)
		*q.at(n) = slot{}
	}
	q.weight, q.held = 0, 0
	q.forget()
}
