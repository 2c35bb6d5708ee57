package front

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// course says what becomes of a request of a client of the binary protocol, as far as its multi-get is
// concerned.
type course uint8

const (
	goesOn course = iota // it is dispatched now
	held                 // when the multi-get ends
	waits                // later: for what was held, which precedes it
	denied               // its verb removes what it answers with, and so does that of what was held
)

// multiget returns the client's multi-get, after what has become of its replies so far.
func (c *Client) multiget() *multiget {
	m := &c.Input.Multiget
	if (m.State == open || m.State == Holding) && c.Input.Binary.Spoiled {
		m.State = spoiled
	}
	return m
}

// gathers takes a request into the multi-get, or ends the multi-get before it.
func (c *Client) gathers(req *protocol.Request) course {
	m := c.multiget()
	switch {
	case m.State == running:
		return goesOn
	case c.routing.Keys == nil: // after a reload
	case c.Input.Binary.Next.QuietGet():
		return c.holds(req)
	case m.State == Holding && c.removes(req):
		m.State = spoiled
		c.endMultiget()
		return denied
	case m.State == Holding && c.refusesKey(req):
		m.State = spoiled
	case m.State == Holding && c.Replies.Len() > 0: // whose end wakes the client
		return waits
	case m.State == Holding:
		if !c.runHeld() {
			return waits
		}
	}
	c.endMultiget()
	return goesOn
}

// holds holds req, a quiet get, if its verb removes what it answers with.
func (c *Client) holds(req *protocol.Request) course {
	m := &c.Input.Multiget
	if m.State == none {
		m.State = open
		c.Input.Binary.BeginMultiget(c.Replies.Tail)
	}
	if !c.removes(req) {
		return goesOn
	}
	switch m.State {
	case open:
		m.State, m.key, m.form = Holding, append(m.key[:0], req.Key...), c.Input.Binary.Next
	case Holding:
		m.State = spoiled
		c.refusedKey(req.Command, req.Key, alone(req.Key))
		fallthrough
	default:
		c.loop.Stats[status.ClientErrors]++
	}
	return held
}

// removes reports whether req is a get whose key names a verb that removes what it answers with, and
// that is not refused.
func (c *Client) removes(req *protocol.Request) bool {
	return c.loop.scratch.carriage.Load.Named > 0 && req.Command.Retrieval() && !c.refusesKey(req) && catalog.Of(&c.loop.scratch.carriage.Verb).Removes
}

// refusesKey reports whether req is a get whose key names a verb and is refused.
func (c *Client) refusesKey(req *protocol.Request) bool {
	return c.loop.scratch.carriage.Load.Named > 0 && req.Command.Retrieval() &&
		c.routing.RefusesNamed(req.Command, req.Key, &c.loop.scratch.carriage.Verb) != ""
}

// runHeld dispatches the request that is held, unless it has to wait.
func (c *Client) runHeld() bool {
	b, load := c.Input.Binary, c.loop.scratch.carriage.Load
	m, next, nextKey := &c.Input.Multiget, b.Next, b.NextKey
	var req protocol.Request
	req.SetRetrieval(protocol.Gets, m.key, 1, false)
	if m.State, b.Next, b.NextKey = running, m.form, nil; m.form.Keyed() {
		b.NextKey = m.key
	}
	c.loop.scratch.carriage.Weigh(c.routing.Keys, &req)
	done := c.dispatch(&req)
	b.Next, b.NextKey, c.loop.scratch.carriage.Load = next, nextKey, load
	if !done {
		m.State = Holding
	}
	return done
}

// drops gives up what is held by a client whose request waits for that. It reports whether something was.
func (c *Client) drops() bool {
	if c.Input.Binary == nil || c.multiget().State != Holding {
		return false
	}
	c.Input.Multiget.State = spoiled
	return true
}

// endMultiget ends the multi-get.
func (c *Client) endMultiget() {
	m := &c.Input.Multiget
	if m.State == spoiled && len(m.key) > 0 {
		c.loop.Stats[status.ClientErrors]++
	}
	m.State, m.key = none, m.key[:0]
}
