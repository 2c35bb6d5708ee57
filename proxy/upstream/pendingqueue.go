package upstream

// pendingQueue is a ring buffer of pending requests.
type pendingQueue struct {
	ring       []Pending // its length is a power of two
	head, tail uint32
}

func (q *pendingQueue) len() int { return int(q.tail - q.head) }

func (q *pendingQueue) push(p *Pending) {
	if q.len() == len(q.ring) {
		q.grow()
	}
	q.ring[q.tail&uint32(len(q.ring)-1)] = *p
	q.tail++
}

// at returns the n-th request from the front.
func (q *pendingQueue) at(n int) *Pending { return &q.ring[(q.head+uint32(n))&uint32(len(q.ring)-1)] }

func (q *pendingQueue) front() *Pending { return q.at(0) }

// pop moves the request at the front of the queue to *to. Returning it would copy it
// once more, which measurably slows requests down.
func (q *pendingQueue) pop(to *Pending) {
	p := q.front()
	*to = *p
	p.Sink, p.Lane = nil, nil
	if q.head++; q.head == q.tail && len(q.ring) > maxPendingIdle {
		*q = pendingQueue{}
	}
}

// maxPendingIdle is the capacity, in requests, that an empty queue keeps.
const maxPendingIdle = 1 << 10

func (q *pendingQueue) grow() {
	ring := make([]Pending, max(64, 2*len(q.ring)))
	n := q.len()
	for i := range n {
		ring[i] = q.ring[(q.head+uint32(i))&uint32(len(q.ring)-1)]
	}
	q.ring, q.head, q.tail = ring, 0, uint32(n)
}
