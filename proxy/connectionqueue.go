package proxy

import "github.com/memverbs/memverbs/proxy/upstream"

// connectionQueue is the clients that wait for room on a connection to an upstream, or
// for the first attempt to connect to it to end.
type connectionQueue struct {
	queue
	gate *gate
	at   *upstream.Connection
	full bool // there was no room; nobody is served before there is plenty
}

func (q *connectionQueue) init(g *gate, at *upstream.Connection) {
	q.gate, q.at = g, at
	q.loop, q.of = g.loop, q
}

// has implements [resource]. Where there is no connection, nobody waits for room on it:
// requests go on another one, or are refused. There is room for those who wait once there
// is plenty, so that many are served at a time. A client that needs several connections,
// and has had its turn on one of them, does not wait for room on the others too: when it
// had waited for that, the first could be full again, and so on for ever.
func (q *connectionQueue) has(c *client) bool {
	if !q.gate.Tried || !q.at.Connected() {
		return q.gate.Tried
	}
	q.full = !q.at.HasRoom(1) || q.full && len(q.clients) > 0 && !q.at.HasRoom(2)
	return !q.full || c.share > 0 && c.several && !q.at.Overfull()
}
