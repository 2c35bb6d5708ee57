package proxy

import "slices"

// queue holds clients whose next request waits for the same resource: for room on a
// connection, for one of the verbs under way for an upstream to end, or for memory for a
// verb's arguments. They are served in turn: a client that comes while others wait
// queues after them, and one that is served may send a share of requests before it queues
// again. Otherwise clients with much to send would take all that there is, and one with a
// single request could wait for as long as they go on.
//
// A client waits in one queue at a time.
type queue struct {
	loop    *loop
	of      resource
	clients []*client // some may be gone
	listed  bool      // among the loop's queues
}

// resource is what requests share, and of which there may be too little.
type resource interface {
	// has reports whether there is enough of it for the next request of c.
	has(c *client) bool
}

// share is for how many keys a client that was served may ask before it queues again.
// It may ask for more at once, on as many connections as it needs: what is left of the
// share is counted when the request is admitted.
const share = 32

// admits reports whether the next request of c, which is about to be looked at, can go
// on. If not, c waits in q.
func (q *queue) admits(c *client) bool {
	if (len(q.clients) == 0 || c.share > 0) && q.of.has(c) {
		c.leaveQueue(q)
		return true
	}
	q.join(c)
	return false
}

// join has c wait in q, after all others.
func (q *queue) join(c *client) {
	if c.queue == q {
		return
	}
	c.leaveQueue(c.queue)
	c.queue = q
	q.clients = append(q.clients, c)
	if !q.listed {
		q.listed = true
		q.loop.queues = append(q.loop.queues, q)
	}
}

// leaveQueue takes c out of q, if it waits there.
func (c *client) leaveQueue(q *queue) {
	if q == nil || c.queue != q {
		return
	}
	c.queue = nil
	i := slices.Index(q.clients, c)
	q.clients = slices.Delete(q.clients, i, i+1)
}

// serve has clients go on in turn, for as long as there is enough for them. It reports
// whether any did.
func (q *queue) serve() bool {
	served := false
	for len(q.clients) > 0 {
		c := q.clients[0]
		if !c.gone && !q.of.has(c) {
			break
		}
		takeFirst(&q.clients)
		c.queue = nil
		c.share = share
		c.proceed()
		served = true
	}
	return served
}

// serveQueues has clients go on for which there is enough now of what they wait for. It
// reports whether any did.
func (l *loop) serveQueues() bool {
	served := false
	for i := 0; i < len(l.queues); i++ { // more may be listed meanwhile
		served = l.queues[i].serve() || served
	}
	l.queues = slices.DeleteFunc(l.queues, func(q *queue) bool {
		q.listed = len(q.clients) > 0
		return !q.listed
	})
	return served
}

// takeFirst takes the first off a list, which does not refer to it any more.
func takeFirst[T any](list *[]*T) *T {
	first := (*list)[0]
	(*list)[0] = nil
	*list = (*list)[1:]
	return first
}
