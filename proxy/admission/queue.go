package admission

import "slices"

// Queue holds the waiters whose next request waits for the same resource. They are served
// in turn: one that comes while others wait queues after them, and one that is served may
// send a share of requests before it queues again. Otherwise clients with much to send
// would take all that there is, and one with a single request could wait for as long as
// they go on.
type Queue struct {
	queues  *Queues
	of      Resource
	waiters []*Waiter // some may be gone
	listed  bool      // in queues
}

// Resource is what requests share, and of which there may be too little.
type Resource interface {
	// Has reports whether there is enough of it for the next request of w.
	Has(w *Waiter) bool
}

// Waiter is a client, as queues know it. It waits in one queue at a time.
type Waiter struct {
	// Owner goes on with its next request when it is served.
	Owner Owner
	// Share is for how many keys it may ask before it queues again. It may ask for more at
	// once, on as many connections as it needs: what a request takes of the share is
	// subtracted once the request is admitted.
	Share int
	// Several says that its next request is for several upstreams, and Memory how many
	// bytes that request takes, as far as the resources have to know.
	Several bool
	Memory  int
	// Gone says that it is not to be served any more, and nobody has to wait after it.
	Gone bool

	queue *Queue
}

// Owner is who waits.
type Owner interface {
	// Proceed has the owner look at its next request again.
	Proceed()
}

// share is what a waiter is given of requests when it is its turn.
const share = 32

// Init makes q a queue for a resource, one of queues.
func (q *Queue) Init(queues *Queues, of Resource) { q.queues, q.of = queues, of }

// Len returns how many wait in q.
func (q *Queue) Len() int { return len(q.waiters) }

// Admits reports whether the next request of w can go on, as far as the resource is
// concerned. If not, w waits in q, and in no other queue.
func (q *Queue) Admits(w *Waiter) bool {
	if (len(q.waiters) == 0 || w.Share > 0) && q.of.Has(w) {
		if w.queue == q {
			w.leave()
		}
		return true
	}
	if w.queue != q {
		w.leave()
		q.add(w)
	}
	return false
}

func (q *Queue) add(w *Waiter) {
	w.queue = q
	q.waiters = append(q.waiters, w)
	if !q.listed {
		q.listed = true
		q.queues.waiting = append(q.queues.waiting, q)
	}
}

// leave takes w out of the queue that it waits in, if any.
func (w *Waiter) leave() {
	if w.queue == nil {
		return
	}
	i := slices.Index(w.queue.waiters, w)
	w.queue.waiters = slices.Delete(w.queue.waiters, i, i+1)
	w.queue = nil
}

// serve has waiters go on in turn, for as long as there is enough for them. It reports
// whether any did.
func (q *Queue) serve() bool {
	served := false
	for len(q.waiters) > 0 {
		w := q.waiters[0]
		if !w.Gone && !q.of.Has(w) {
			break
		}
		q.waiters[0], q.waiters = nil, q.waiters[1:]
		w.queue = nil
		w.Share = share
		w.Owner.Proceed()
		served = true
	}
	return served
}

// Queues are the queues of an event loop in which somebody waits.
type Queues struct{ waiting []*Queue }

// Len returns in how many queues somebody waits.
func (q *Queues) Len() int { return len(q.waiting) }

// Serve has those go on for whom there is enough now of what they wait for. It reports
// whether there were any.
func (q *Queues) Serve() bool {
	served := false
	for i := 0; i < len(q.waiting); i++ { // those who go on may begin to wait for something else
		served = q.waiting[i].serve() || served
	}
	q.waiting = slices.DeleteFunc(q.waiting, func(of *Queue) bool {
		of.listed = len(of.waiters) > 0
		return !of.listed
	})
	return served
}
