package front

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// A client's input is split into requests, and each is dispatched.

// Proceed implements [admission.Owner]: it carries out requests of the waiting input.
func (c *Client) Proceed() {
	in := &c.input
	if c.gone() || c.pace.state == resting {
		return
	}
	c.pace.state = c.pace.state.wakes()
	if c.holds != nil && !c.sendsAgain() {
		c.block()
	} else if len(in.bytes()) > 0 && in.state != ignored {
		n := c.work(in.rest(), 0)
		in.skip(n)
		if n > 0 {
			c.moved()
		}
	}
	givenAway := in.bytes() == nil // see forwardTo
	if givenAway || in.pending() == 0 || in.state == ignored || in.state == ended && !c.blocked() {
		c.forgetInput()
	}
	if in.state != ended && !c.blocked() {
		c.conn.Resume()
	}
	c.finish()
}

// work carries out the requests at the start of data, which is not empty, until the client is blocked,
// and returns how many bytes it has consumed. late is how much effort that may take in a full turn. A
// request that has waited in a queue is carried out even in a full turn.
func (c *Client) work(data []byte, late int) int {
	done := 0
	for c.input.state != ignored && !c.blocked() {
		if c.input.waiting() == nil && c.hasToRest(late) {
			c.rest()
			break
		}
		c.spend(1)
		n, more := c.step(data[done:])
		if done += n; !more || done == len(data) {
			break
		}
	}
	c.releaseParser()
	c.conn.SendLater()
	if c.departure.state == finishing && done > 0 && c.replies.Long == nil && !c.input.inBatch() {
		c.leave()
	}
	return done
}

// step carries out the first request in data. It returns how many bytes it has consumed,
// and whether to continue with the next request.
func (c *Client) step(data []byte) (n int, more bool) {
	if c.owed() {
		if c.holds != nil && len(c.holds.waiting) > 0 {
			c.followed() // its input must not wait for them
		}
		c.block()
		return 0, false
	}
	if c.input.waiting() != nil {
		return c.retry(), true
	}
	c.loop.timing.Began = c.loop.timing.Stamp()
	if !c.gate.state.passes() {
		return c.enter(data)
	}
	req := &c.loop.scratch.req
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
func (c *Client) breakOff(req *protocol.Request) {
	if req.Refusal != "" {
		c.refuse(req.Refusal)
	}
	c.leave()
}

// parse reads a request from the start of data. A retrieval is read in parts if its values
// may be too large to ask for all of them at once.
func (c *Client) parse(data []byte, req *protocol.Request) (n int, status protocol.Status) {
	if c.input.binary != nil {
		c.input.binary.Parser.MaxKeys = c.mostBundled(data)
		if n, status = c.input.binary.Parse(data, req); status == protocol.Ready {
			c.loop.scratch.carriage.Weigh(c.routing.Keys, req)
		}
		return n, status
	}
	parser := c.parser()
	parser.MaxKeys = max(1, budget/c.replies.expected.size())
	carriage := &c.loop.scratch.carriage
	if c.routing.Keys == nil {
		carriage.Load = route.Load{}
		return parser.Next(data, req)
	}
	before := *parser
	n, status = parser.Next(data, req)
	if status != protocol.Ready {
		return n, status
	}
	if carriage.Weigh(c.routing.Keys, req); carriage.Load.TooLarge() && req.NumWords > route.MaxLarge {
		*parser, parser.MaxKeys = before, route.MaxLarge
		n, status = parser.Next(data, req)
		carriage.Weigh(c.routing.Keys, req)
	}
	return n, status
}

// parser returns the parser of the request being received. Few of thousands of clients have sent a part
// of a request, so between requests a client has none.
func (c *Client) parser() *protocol.Parser {
	if c.input.parser == nil {
		c.input.parser = c.loop.reuse.parsers.Take()
		c.input.parser.Verbs, c.input.parser.MaxData = catalog.Known, c.longestValue()
	}
	return c.input.parser
}

// releaseParser leaves the parser to other clients, unless it knows something of the input to come, or has words
// of a request that waits.
func (c *Client) releaseParser() {
	if p := c.input.parser; p != nil && c.input.waiting() == nil && p.AtRest() {
		c.input.parser = nil
		c.loop.reuse.parsers.Keep(p)
	}
}

// keepWaiting keeps req, which was read from the first n bytes of input, until it can be
// carried out. c is blocked until then.
func (c *Client) keepWaiting(req *protocol.Request, input []byte, n int) {
	w := c.loop.reuse.waiting.Take()
	*w = waiting{*req, input, n, c.routing, c.loop.scratch.carriage.Load, c.loop.timing.Began}
	c.loop.Account.Take(waitingSize)
	c.useBacklog().waiting = w
	c.block()
}

// Refuse implements [admission.Owner]: it refuses the waiting request.
func (c *Client) Refuse(why string) {
	if w := c.input.waiting(); w != nil && !c.dropDeferred() {
		c.loop.timing.Began = w.since
		c.deny(&w.request, c.routing.Target(w.request.Key), why)
		c.input.skip(w.length)
		c.endWaiting(w)
	}
	c.Proceed()
}

// retry carries out the waiting request if possible. It returns how many bytes of the
// input were consumed, 0 if the request still has to wait.
func (c *Client) retry() int {
	w := c.input.waiting()
	if w.routing != c.routing {
		w.routing = c.routing
		c.loop.scratch.carriage.Weigh(c.routing.Keys, &w.request)
		w.load = c.loop.scratch.carriage.Load
	}
	if c.input.behindWait { // that counts as the client's own time
		c.input.behindWait, w.since = false, c.loop.timing.Stamp()
	}
	c.loop.scratch.carriage.Load, c.loop.timing.Began = w.load, w.since
	if !c.dispatch(&w.request) {
		c.block()
		return 0
	}
	n := w.length
	c.endWaiting(w)
	return n
}

// endWaiting ends the wait of a request that nothing uses any more.
func (c *Client) endWaiting(w *waiting) {
	c.forgetWaiting()
	*w = waiting{} // which frees what it refers to
	c.loop.reuse.waiting.Keep(w)
}
