package admission

import "slices"

// Queue has the waiters whose next request waits for the same resource. They are served
// round-robin: a waiter joins the end of the queue, and when it is served it may send a share of
// requests before it queues again. Otherwise clients with many requests would use up the resource,
// and a client with a single request could wait indefinitely.
type Queue struct {
	queues   *Queues
	resource Resource
	waiters  []*Waiter // the first is served next; some may be gone
	listed   bool      // in queues
}

// Resource is something scarce that requests share.
type Resource interface {
	// Has reports whether there is enough for the next request of w.
	Has(w *Waiter) bool
}

// Waiter is what queues know about a client. It waits in one queue at a time.
type Waiter struct {
	// Owner is woken when the waiter is served.
	Owner Owner
	// Share is how many keys it may still request before it queues again. A request is admitted if
	// any of the share is left, even if its keys exceed it; they are subtracted then.
	Share int
	// Memory is how many bytes of memory its next request reserves when it begins.
	Memory int
	// Unsized is the size to expect of each value that its next request asks for, in bytes, if the
	// client has not received a value yet; 0 if it has, or asks for none.
	Unsized int
	// Several says that its next request is for several upstreams.
	Several bool
	// Light says that its next request begins one verb, and that it has no other running.
	Light bool
	// Gone says that it no longer waits: it must not delay the waiters after it.
	Gone bool

	queue *Queue
}

// Owner is the client that waits.
type Owner interface {
	// Proceed makes the owner try its next request again.
	Proceed()
	// Refuse answers the next request with an error line, without a line end, and goes on
	// with the one after it.
	Refuse(why string)
}

// share is the Share of a waiter when it is served, in keys.
const share = 32

// Init makes q the queue for resource, one of queues.
func (q *Queue) Init(queues *Queues, resource Resource) { q.queues, q.resource = queues, resource }

// Len returns how many waiters are in q.
func (q *Queue) Len() int { return len(q.waiters) }

// Admits reports whether there is enough of the resource for the next request of w, and no other
// waiter comes first. If not, w waits in q, and in no other queue.
func (q *Queue) Admits(w *Waiter) bool {
	if (len(q.waiters) == 0 || w.Share > 0) && q.resource.Has(w) {
		q.Leave(w)
		return true
	}
	if w.queue != q {
		w.leave()
		q.add(w)
	}
	return false
}

// Leave removes w from q, if it waits there.
func (q *Queue) Leave(w *Waiter) {
	if w.queue == q {
		w.leave()
	}
}

func (q *Queue) add(w *Waiter) {
	w.queue = q
	q.waiters = append(q.waiters, w)
	if !q.listed {
		q.listed = true
		q.queues.waiting = append(q.queues.waiting, q)
	}
}

// Waits reports whether w is in a queue.
func (w *Waiter) Waits() bool { return w.queue != nil }

// leave removes w from its queue, if it is in one.
func (w *Waiter) leave() {
	if w.queue == nil {
		return
	}
	i := slices.Index(w.queue.waiters, w)
	w.queue.waiters = slices.Delete(w.queue.waiters, i, i+1)
	w.queue = nil
}

// serve wakes waiters, from the first on, while there is enough for them, and reports whether it
// woke any.
func (q *Queue) serve() bool {
	served := false
	for len(q.waiters) > 0 {
		w := q.waiters[0]
		if !w.Gone && !q.resource.Has(w) {
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

// Refuse refuses the requests of waiters, from the first on, until enough returns true. It does not
// refuse those that begin to wait meanwhile.
func (q *Queue) Refuse(why string, enough func() bool) {
	for n := len(q.waiters); n > 0 && len(q.waiters) > 0; n-- {
		w := q.waiters[0]
		if !w.Gone && enough() {
			return
		}
		q.waiters[0], q.waiters = nil, q.waiters[1:]
		w.queue = nil
		if !w.Gone {
			w.Owner.Refuse(why)
		}
	}
}

// Queues are the queues of an event loop that have waiters.
type Queues struct{ waiting []*Queue }

// Len returns how many queues have waiters.
func (q *Queues) Len() int { return len(q.waiting) }

// Serve wakes the waiters for whose requests there is enough now, and reports whether
// there were any.
func (q *Queues) Serve() bool {
	served := false
	for i := 0; i < len(q.waiting); i++ { // served waiters may join other queues
		served = q.waiting[i].serve() || served
	}
	q.waiting = slices.DeleteFunc(q.waiting, func(queue *Queue) bool {
		queue.listed = len(queue.waiters) > 0
		return !queue.listed
	})
	return served
}
