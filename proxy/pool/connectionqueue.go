package pool

import (
	"github.com/memverbs/memverbs/proxy/admission"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// connectionQueue holds the clients that wait for room on a connection (back-pressure),
// or for the first attempt to connect to end.
type connectionQueue struct {
	admission.Queue
	member     *Member
	connection *upstream.Connection
	full       bool // there was no room; clients are not served until half of it is free
}

func (q *connectionQueue) init(member *Member, connection *upstream.Connection, queues *admission.Queues) {
	q.member, q.connection = member, connection
	q.Init(queues, q)
}

// Has implements [admission.Resource]. Without a connection, there is nothing to wait for:
// requests use the other one, or are refused. After the connection was full, waiting
// clients are served only when there is plenty of room, so that many are served at a time.
// A client that needs several connections, and has been served on one, does not wait for the others
// unless they are overfull. Otherwise the first could be full again by then, and so on for ever.
func (q *connectionQueue) Has(w *admission.Waiter) bool {
	if q.member.retired {
		return true
	}
	if !q.member.Tried || !q.connection.Connected() {
		return q.member.Tried
	}
	q.full = !q.connection.HasRoom(1) || q.full && q.Len() > 0 && !q.connection.HasRoom(2)
	return !q.full || w.Share > 0 && w.Several && !q.connection.Overfull()
}
