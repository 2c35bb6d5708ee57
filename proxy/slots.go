package proxy

import (
	"unsafe"

	"github.com/memverbs/memverbs/proxy/memory"
	"github.com/memverbs/memverbs/proxy/transport"
)

// slot is the place of one request's reply among a client's replies.
type slot struct {
	data   []byte // the reply, in a buffer of the pool, if it came before its turn
	series *series
	weight uint16 // how many replies of upstreams it stands for
	done   bool
	fail   bool // the reply is an error that ends the series
}

// series is what the parts of one long retrieval share: after an error, which
// ends its reply, nothing more of it must be said.
type series struct{ failed bool }

// slots holds a client's replies in the order of its requests, whichever
// upstream answers first.
type slots struct {
	ring       []slot // its length is a power of two
	head, tail uint32
	weight     int // of the slots that are not done
	held       int // bytes of buffers with what waits for its turn
	errors     *errorCounts
	account    *memory.Account // counts the ring
}

func (s *slots) len() int { return int(s.tail - s.head) }

func (s *slots) at(n uint32) *slot { return &s.ring[n&uint32(len(s.ring)-1)] }

// reserve makes a place for the reply to the next request.
func (s *slots) reserve(weight int, of *series) uint32 {
	if s.len() == len(s.ring) {
		s.grow()
	}
	n := s.tail
	s.tail++
	*s.at(n) = slot{weight: uint16(weight), series: of}
	s.weight += weight
	return n
}

func (s *slots) grow() {
	ring := make([]slot, max(4, 2*len(s.ring)))
	for n := s.head; n != s.tail; n++ {
		ring[n&uint32(len(ring)-1)] = *s.at(n)
	}
	s.account.Take((len(ring) - len(s.ring)) * slotSize)
	s.ring = ring
}

// slotSize is the size of a slot, in bytes.
const slotSize = int(unsafe.Sizeof(slot{}))

// memory returns how many bytes are kept.
func (s *slots) memory() int { return s.held + len(s.ring)*slotSize }

// forget lets go of the ring, which is empty.
func (s *slots) forget() {
	s.account.Give(len(s.ring) * slotSize)
	s.ring, s.head, s.tail = nil, 0, 0
}

// fill sets the reply of slot n. It goes out at once if it is its turn, and so
// do those that had waited for it. If data is a whole buffer of the pool that
// may be taken, owned says so; fill reports whether it took it.
func (s *slots) fill(n uint32, data []byte, owned, fail bool, out *transport.Output) (taken bool) {
	this := s.at(n)
	this.done, this.fail = true, fail
	s.weight -= int(this.weight)
	if n != s.head {
		if taken = owned; taken {
			this.data = data
		} else if len(data) > 0 { // what is empty may still be a part of somebody's buffer
			this.data = append(out.Pool.Get(len(data)), data...)
		}
		s.held += cap(this.data)
		return taken
	}
	if s.speaks(this, data) {
		if taken = owned; taken {
			out.Own(data, 0)
		} else {
			out.Write(data)
		}
	}
	*this = slot{}
	s.head++
	s.advance(out)
	return taken
}

// speaks reports whether the reply is to be sent, and notes if it is an error,
// which is the last of its series.
func (s *slots) speaks(this *slot, reply []byte) bool {
	if this.series != nil && this.series.failed {
		return false
	}
	if this.fail {
		s.errors.count(reply)
		if this.series != nil {
			this.series.failed = true
		}
	}
	return true
}

// keptSlots is for how many replies room is kept while none is waited for.
const keptSlots = 64

// advance sends the replies whose turn it is.
func (s *slots) advance(out *transport.Output) {
	for s.head != s.tail {
		next := s.at(s.head)
		if !next.done {
			return
		}
		s.held -= cap(next.data)
		switch {
		case !s.speaks(next, next.data):
			out.Pool.Put(next.data)
		case len(next.data) >= transport.OwnBuffer:
			out.Own(next.data, 0)
		default:
			out.Write(next.data)
			out.Pool.Put(next.data)
		}
		*next = slot{}
		s.head++
	}
	if len(s.ring) > keptSlots {
		s.forget()
	}
}

// drop forgets all replies that wait.
func (s *slots) drop(p *memory.Pool) {
	for n := s.head; n != s.tail; n++ {
		p.Put(s.at(n).data)
		*s.at(n) = slot{}
	}
	s.weight, s.held = 0, 0
	s.forget()
}
