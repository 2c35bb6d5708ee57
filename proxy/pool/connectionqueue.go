package pool

import (
	"github.com/memverbs/memverbs/proxy/admission"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// connectionQueue holds who waits for room on a connection, or for the first attempt to
// connect to end.
type connectionQueue struct {
	admission.Queue
	of   *Member
	at   *upstream.Connection
	full bool // there was no room; nobody is served until there is plenty
}

func (q *connectionQueue) init(of *Member, at *upstream.Connection, queues *admission.Queues) {
	q.of, q.at = of, at
	q.Init(queues, q)
}

// Has implements [admission.Resource]. Where there is no connection, nobody waits for room
// on it: requests go on the other one, or are refused. Those who wait are served once there
// is plenty of room, so that many are served at a time. A client that needs several
// connections, and has had its turn on one of them, does not wait for room on the others
// too: when it had waited for that, the first could be full again, and so on for ever.
func (q *connectionQueue) Has(w *admission.Waiter) bool {
	if !q.of.Tried || !q.at.Connected() {
		return q.of.Tried
	}
	q.full = !q.at.HasRoom(1) || q.full && q.Len() > 0 && !q.at.HasRoom(2)
	return !q.full || w.Share > 0 && w.Several && !q.at.Overfull()
}
