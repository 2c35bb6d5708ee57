package front

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// course says what happens to the next request of a client of the binary protocol because of its multi-get.
type course uint8

const (
	goesOn   course = iota // it is dispatched now
	deferred               // it is dispatched when the multi-get ends
	waits                  // it is dispatched after the deferred get, which precedes it
	denied                 // it is refused: its verb and that of the deferred get both remove what they answer with
)

// multiget returns the client's multi-get, spoiled if one of its replies so far was an error.
func (c *Client) multiget() *multiget {
	m := &c.input.binary.multiget
	if (m.state == open || m.state == deferring) && c.input.binary.Spoiled {
		m.state = spoiled
	}
	return m
}

// joinsMultiget makes req part of the multi-get, or ends the multi-get before it.
func (c *Client) joinsMultiget(req *protocol.Request) course {
	m := c.multiget()
	switch {
	case m.state == running:
		return goesOn
	case c.routing.Keys == nil: // after a reload
	case c.input.binary.Next.QuietGet():
		return c.defers(req)
	case m.state == deferring && c.removes(req):
		m.state = spoiled
		c.endMultiget()
		return denied
	case m.state == deferring && c.refusesKey(req):
		m.state = spoiled
	case m.state == deferring && c.replies.Len() > 0: // the client is woken when these are sent
		return waits
	case m.state == deferring:
		if !c.runDeferred() {
			return waits
		}
	}
	c.endMultiget()
	return goesOn
}

// defers defers req, a quiet get, if its verb removes what it answers with.
func (c *Client) defers(req *protocol.Request) course {
	m := &c.input.binary.multiget
	if m.state == none {
		m.state = open
		c.input.binary.BeginMultiget(c.replies.Tail)
	}
	if !c.removes(req) {
		return goesOn
	}
	switch m.state {
	case open:
		m.state, m.key, m.form = deferring, append(m.key[:0], req.Key...), c.input.binary.Next
	case deferring:
		m.state = spoiled
		c.refusedKey(req.Command, req.Key, alone(req.Key))
		fallthrough
	default:
		c.loop.Stats[status.ClientErrors]++
	}
	return deferred
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

// runDeferred dispatches the deferred get, unless it has to wait.
func (c *Client) runDeferred() bool {
	b, load := c.input.binary, c.loop.scratch.carriage.Load
	m, next, nextKey := &b.multiget, b.Next, b.NextKey
	var req protocol.Request
	req.SetRetrieval(protocol.Gets, m.key, 1, false)
	if m.state, b.Next, b.NextKey = running, m.form, nil; m.form.Keyed() {
		b.NextKey = m.key
	}
	c.loop.scratch.carriage.Weigh(c.routing.Keys, &req)
	done := c.dispatch(&req)
	b.Next, b.NextKey, c.loop.scratch.carriage.Load = next, nextKey, load
	if !done {
		m.state = deferring
	}
	return done
}

// dropDeferred drops the deferred get, for which the client's next request waits. It reports whether there was
// one.
func (c *Client) dropDeferred() bool {
	if c.input.binary == nil || c.multiget().state != deferring {
		return false
	}
	c.input.binary.multiget.state = spoiled
	return true
}

// endMultiget ends the multi-get.
func (c *Client) endMultiget() {
	m := &c.input.binary.multiget
	if m.state == spoiled && len(m.key) > 0 {
		c.loop.Stats[status.ClientErrors]++
	}
	m.state, m.key = none, m.key[:0]
}
