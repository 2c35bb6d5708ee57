package proxy

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// A client's input is split into requests, and each is dispatched. When a request has to
// wait, all later input waits too.

// maxInput is how many bytes of a client's input may wait before reading is paused. An
// incomplete request may be longer.
const maxInput = 64 << 10

// Read implements [transport.Owner]. data is what the client has sent.
func (c *client) Read(data []byte) {
	c.loop.stats.read += uint64(len(data))
	c.loop.receipt++
	c.receipt, c.idle, c.effort = c.loop.receipt, 0, 0
	switch {
	case c.quit:
		return
	case len(c.input) == 0 && !c.blocked:
		n := c.work(data, lateTurn)
		if n < len(data) && !c.quit {
			c.keep(data[n:])
			if c.readOn() {
				c.Proceed()
			}
		}
		if c.ending() {
			c.loop.wake(c)
		}
	default:
		c.keep(data)
		c.readOn()
		c.Proceed()
	}
	if c.blocked && (c.departure.state == hurried || c.departure.state == finishing || len(c.input)-c.offset > maxInput) {
		c.conn.Pause()
	}
}

// keep appends data to the waiting input.
func (c *client) keep(data []byte) {
	if c.offset > 0 {
		c.input = append(c.input[:0], c.input[c.offset:]...)
		c.offset = 0
	}
	have := len(c.input) + len(data)
	// An announced length allocates memory only as the data arrives.
	room := max(len(data), min(c.need(), 8*have)-len(c.input))
	c.input = append(c.loop.buffers.Grow(c.input, room), data...)
	if c.waiting != nil {
		c.waiting.move(c.input)
	}
}

// need returns the length of the request being received, in bytes, or 0 while that is unknown.
func (c *client) need() int {
	if c.binary != nil {
		return c.binary.parser.Need
	}
	return c.parser.Need
}

// readOn reads more of a large request directly into the buffer with its start, and
// reports whether the request is complete.
func (c *client) readOn() bool {
	have, need := len(c.input), c.need()
	if c.blocked || need < upstream.Large || have >= need {
		return false
	}
	n := c.conn.Read(c.input[have:min(need, cap(c.input))])
	c.loop.stats.read += uint64(n)
	c.input = c.input[:have+n]
	return len(c.input) == need
}

// Proceed implements [admission.Owner]: it carries out requests of the waiting input.
func (c *client) Proceed() {
	if c.gone() || c.resting {
		return
	}
	c.blocked = false
	if len(c.input) > 0 && !c.quit {
		n := c.work(c.input[c.offset:], 0)
		c.offset += n
		if n > 0 {
			c.moved()
		}
	}
	givenAway := c.input == nil // see forwardTo
	if givenAway || c.offset == len(c.input) || c.quit || c.eof && !c.blocked {
		c.forgetInput() // an incomplete request at the end of the input is dropped
	}
	if !c.blocked && !c.eof {
		c.conn.Resume()
	}
	c.finish()
}

// work carries out the requests at the start of data until the client is blocked, and
// returns how many bytes it has consumed. late is how much it carries out in a full turn.
// A request that has waited is carried out in any turn, since it has been queued for that.
func (c *client) work(data []byte, late int) int {
	done := 0
	for !c.quit && !c.blocked {
		if c.waiting == nil && c.hasHadTurn(late) {
			c.rest()
			break
		}
		c.spend(1)
		n, more := c.step(data[done:])
		if done += n; !more {
			break
		}
	}
	c.conn.Send()
	if c.departure.state == finishing && done > 0 && c.longRetrieval == nil && !c.inBatch() {
		c.leave()
	}
	return done
}

// step carries out the first request in data. It returns how many bytes it has consumed,
// and whether to continue with the next request.
func (c *client) step(data []byte) (n int, more bool) {
	if c.owed() {
		c.blocked = true
		return 0, false
	}
	if c.waiting != nil {
		return c.retry(), true
	}
	c.loop.timing.began = c.loop.timing.Stamp()
	if !c.gate.state.passes() {
		return c.enter(data)
	}
	req := &c.loop.req
	n, status := c.parse(data, req)
	switch {
	case status == protocol.Partial:
		return n, false
	case status == protocol.Broken:
		c.breakOff(req)
		return 0, false
	case !c.dispatch(req):
		c.keepWaiting(req, data, n)
		return 0, false
	}
	return n, true
}

// breakOff answers a request after which nothing can be parsed.
func (c *client) breakOff(req *protocol.Request) {
	if req.Refusal != "" {
		c.refuse(req.Refusal)
	}
	c.leave()
}

// parse reads a request from the start of data. A retrieval is read in parts if its values
// may be too large to ask for all of them at once.
func (c *client) parse(data []byte, req *protocol.Request) (n int, status protocol.Status) {
	if c.binary != nil {
		c.binary.parser.MaxKeys = c.mostBundled(data)
		if n, status = c.binary.parse(data, req); status == protocol.Ready {
			c.loop.carriage.weigh(c.routing.keys, req)
		}
		return n, status
	}
	c.parser.MaxKeys = max(1, budget/c.expected.size)
	carriage := &c.loop.carriage
	if c.routing.keys == nil {
		carriage.load = load{}
		return c.parser.Next(data, req)
	}
	before := c.parser
	n, status = c.parser.Next(data, req)
	if status != protocol.Ready {
		return n, status
	}
	if carriage.weigh(c.routing.keys, req); carriage.load.tooLarge() && req.NumWords > maxLarge {
		c.parser, c.parser.MaxKeys = before, maxLarge
		n, status = c.parser.Next(data, req)
		carriage.weigh(c.routing.keys, req)
	}
	return n, status
}

// keepWaiting keeps req, which was read from the first n bytes of input, until it can be
// carried out. c is blocked until then.
func (c *client) keepWaiting(req *protocol.Request, input []byte, n int) {
	w := c.loop.idleWaiting.take()
	*w = waiting{*req, input, n, c.routing, c.loop.carriage.load, c.loop.timing.began}
	c.loop.account.Take(waitingSize)
	c.waiting, c.blocked = w, true
}

// Refuse implements [admission.Owner]: it refuses the waiting request.
func (c *client) Refuse(why string) {
	if w := c.waiting; w != nil && !c.drops() {
		at := c.routing.target(w.request.Key).pool
		c.count(&w.request, at)
		reserved := c.replies.tail
		c.loop.timing.began = w.since
		c.begin(&w.request, at)
		if !w.request.Quiet || w.request.Command.Meta() {
			c.refuse(why)
		}
		c.over(reserved)
		c.offset += w.length
		c.forgetWaiting()
		c.loop.idleWaiting.give(w)
	}
	c.Proceed()
}

// retry carries out the waiting request if possible. It returns how many bytes of the
// input were consumed, 0 if the request still has to wait.
func (c *client) retry() int {
	w := c.waiting
	if w.routing != c.routing {
		w.routing = c.routing
		c.loop.carriage.weigh(c.routing.keys, &w.request)
		w.load = c.loop.carriage.load
	}
	c.loop.carriage.load, c.loop.timing.began = w.load, w.since
	if !c.dispatch(&w.request) {
		c.blocked = true
		return 0
	}
	n := w.length
	c.forgetWaiting()
	c.loop.idleWaiting.give(w)
	return n
}
