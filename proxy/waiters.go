package proxy

// waiters are the clients that wait until a connection has room for their requests.
// They are served in turn: who comes while others wait goes behind them, and who is
// served may send a share of requests before it goes behind them again. Otherwise
// those with much to send would fill all room there is, and one with a single
// request could wait for as long as they go on.
type waiters struct {
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
func (c *connection) admits(of *client, several bool) bool {
	switch {
	case len(c.waiters.queue) == 0 && c.hasRoom(1),
		of.share > 0 && !c.waiters.full && c.hasRoom(1),
		of.share > 0 && several && !c.overfull():
		return true
	}
	c.waiters.full = c.waiters.full || !c.hasRoom(1)
	c.wait(of)
	return false
}

// wait has a client wait until it is its turn.
func (c *connection) wait(of *client) {
	if of.waitsFor != c {
		of.waitsFor = c
		c.waiters.queue = append(c.waiters.queue, of)
		c.loop.waiting++
	}
}

// serve has those who wait go on in turn, for as long as there is room. It reports
// whether anybody did.
func (c *connection) serve() bool {
	served := false
	for len(c.waiters.queue) > 0 && c.open() {
		of := c.nextWaiter()
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
func (c *connection) open() bool {
	if c.conn == nil || !c.upstream.tried {
		return false
	}
	c.waiters.full = !c.hasRoom(1) || c.waiters.full && !c.hasRoom(2)
	return !c.waiters.full
}

// nextWaiter takes the first client from the queue. It returns nil if that does not
// wait any more.
func (c *connection) nextWaiter() *client {
	of := takeFirst(&c.waiters.queue)
	c.loop.waiting--
	if of.waitsFor != c {
		return nil
	}
	of.waitsFor = nil
	return of
}

// release has all go on: there is nothing to wait for any more.
func (c *connection) release() {
	for len(c.waiters.queue) > 0 {
		if of := c.nextWaiter(); of != nil {
			c.loop.wake(of)
		}
	}
	c.waiters = waiters{}
}

// serveWaiters has clients go on that wait for connections which have room. It
// reports whether there were any.
func (l *loop) serveWaiters() bool {
	served := false
	for i := 0; i < len(l.upstreams) && l.waiting > 0; i++ {
		u := l.upstreams[i]
		served = u.first.serve() || served
		served = u.bulk.serve() || served
	}
	return served
}
