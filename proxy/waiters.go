package proxy

import "github.com/memverbs/memverbs/proxy/upstream"

// waiters are the clients that wait until a connection has room for their requests.
// They are served in turn: who comes while others wait goes behind them, and who is
// served may send a share of requests before it goes behind them again. Otherwise
// those with much to send would fill all room there is, and one with a single
// request could wait for as long as they go on.
type waiters struct {
	gate  *gate
	at    *upstream.Connection
	queue []*client
	full  bool // there was no room; nobody is served before there is plenty
}

// share is for how many keys a client may ask when it is its turn. One with some of it
// left may ask for more at once, on as many connections as it needs: what is still
// allowed is counted when the request is sent (busy).
const share = 32

// admits reports whether a client may send a request on the connection, or else has
// it wait. One that needs several connections, and has had its turn on one of them,
// does not wait for room on the others too: when it had waited for that, the first
// could be full again, and so on for ever.
func (w *waiters) admits(of *client, several bool) bool {
	switch {
	case len(w.queue) == 0 && w.at.HasRoom(1),
		of.share > 0 && !w.full && w.at.HasRoom(1),
		of.share > 0 && several && !w.at.Overfull():
		return true
	}
	w.full = w.full || !w.at.HasRoom(1)
	w.wait(of)
	return false
}

// wait has a client wait until it is its turn.
func (w *waiters) wait(of *client) {
	if of.waitsFor != w {
		of.waitsFor = w
		w.queue = append(w.queue, of)
		w.gate.loop.waiting++
	}
}

// serve has those who wait go on in turn, for as long as there is room. It reports
// whether anybody did.
func (w *waiters) serve() bool {
	served := false
	for len(w.queue) > 0 && w.open() {
		of := w.nextWaiter()
		if of == nil {
			continue
		}
		of.share = share
		of.proceed()
		served = true
	}
	return served
}

// open reports whether there is room for those who wait: plenty of it if there was
// none before, so that many are served at a time.
func (w *waiters) open() bool {
	if !w.at.Connected() || !w.gate.Tried {
		return false
	}
	w.full = !w.at.HasRoom(1) || w.full && !w.at.HasRoom(2)
	return !w.full
}

// nextWaiter takes the first client from the queue. It returns nil if that does not
// wait any more.
func (w *waiters) nextWaiter() *client {
	of := takeFirst(&w.queue)
	w.gate.loop.waiting--
	if of.waitsFor != w {
		return nil
	}
	of.waitsFor = nil
	return of
}

// takeFirst takes the first off a queue, which does not refer to it any more.
func takeFirst[T any](queue *[]*T) *T {
	first := (*queue)[0]
	(*queue)[0] = nil
	*queue = (*queue)[1:]
	return first
}

// release has all go on: there is nothing to wait for any more.
func (w *waiters) release() {
	for len(w.queue) > 0 {
		if of := w.nextWaiter(); of != nil {
			w.gate.loop.wake(of)
		}
	}
	w.queue, w.full = nil, false
}

// serveWaiters has clients go on that wait for connections which have room. It
// reports whether there were any.
func (l *loop) serveWaiters() bool {
	served := false
	for i := 0; i < len(l.upstreams) && l.waiting > 0; i++ {
		u := l.upstreams[i]
		served = u.first.serve() || served
		served = u.second.serve() || served
	}
	return served
}
