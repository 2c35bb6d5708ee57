package proxy

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/tally"
)

// pending is a request that an upstream has been sent, or is about to be, and
// has not answered.
type pending struct {
	sink     sink
	client   *client // whose request it is, for its lane; nil for the proxy's own and for what verbs ask
	slot     uint32  // for the sink: what the reply belongs to
	deadline uint32  // in ticks of the loop: to have been sent, and then to be answered
	end      uint32  // where it ends in what the connection is sent, in bytes modulo 2³²
	expected uint32  // how many bytes of what the upstream's replies are compared with
	keys     uint16  // how many keys a retrieval asks for
	command  protocol.Command
	tally    tally.Kind // how it counts, if a client has asked for it
	quiet    bool
	bulk     bool // an operation of a verb is to go on the second connection if there is one
	verbs    bool // a verb has asked, not a client
}

// sink takes the reply to a request.
type sink interface {
	// answered is called exactly once for every request, in the order of the
	// requests of a connection. It must not keep a.data, but may take a.whole.
	answered(p *pending, a *answer)
}

// answer is what became of a request.
type answer struct {
	data  []byte          // the reply, ready for a client
	last  *protocol.Reply // its last unit, nil if failed
	whole []byte          // not nil: a buffer of the pool with data and nothing else, to be taken
	taken bool            // set by who takes whole
	epoch uint32          // of the upstream that it came from
	fail  bool            // data is an error of the proxy's
}

// pendingQueue is a queue of pending requests.
type pendingQueue struct {
	ring       []pending // its length is a power of two
	head, tail uint32
}

func (q *pendingQueue) len() int { return int(q.tail - q.head) }

func (q *pendingQueue) push(p *pending) {
	if q.len() == len(q.ring) {
		q.grow()
	}
	q.ring[q.tail&uint32(len(q.ring)-1)] = *p
	q.tail++
}

// at returns the n-th request from the front.
func (q *pendingQueue) at(n int) *pending { return &q.ring[(q.head+uint32(n))&uint32(len(q.ring)-1)] }

func (q *pendingQueue) front() *pending { return q.at(0) }

// pop moves the request at the front of the queue to where its argument points. To
// return it would copy it once more, which shows in the time that a request takes.
func (q *pendingQueue) pop(to *pending) {
	p := q.front()
	*to = *p
	p.sink, p.client = nil, nil
	if q.head++; q.head == q.tail && len(q.ring) > maxPendingIdle {
		*q = pendingQueue{}
	}
}

// maxPendingIdle is for how many requests room is kept while none is under way.
const maxPendingIdle = 1 << 10

func (q *pendingQueue) grow() {
	ring := make([]pending, max(64, 2*len(q.ring)))
	n := q.len()
	for i := range n {
		ring[i] = q.ring[(q.head+uint32(i))&uint32(len(q.ring)-1)]
	}
	q.ring, q.head, q.tail = ring, 0, uint32(n)
}
