package proxy

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/protocol/binary"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// A multi-get of the meta commands or the binary protocol is a number of quiet gets, and a noop whose
// answer says that all have been answered. Its values tell their keys, misses are silent, and so are
// errors: dalli takes the first answer without a key for the end, and everything after it for the
// answers to its next requests, so an error would have one key's value returned for another. It
// would also have libmemcached give up the connection. No client can tell an error in the midst of a
// multi-get to its caller and go on with the other keys; to all, keys without an answer are missing.

// hushes reports whether an error is no answer to req, which is a part of a multi-get of the meta
// commands. For those of the binary protocol, see [binary.Form.QuietGet]. What is wrong with the line itself is
// told all the same, as by memcached.
func (c *client) hushes(req *protocol.Request) bool {
	return req.Quiet && req.Command == protocol.MetaGet && req.Refusal == "" && c.input.binary == nil
}

// A verb that removes what it answers with is run as in a get of several keys (see askNamed): last, if no other
// key had an error, and if it is the only one. In the binary protocol that is known when the
// multi-get ends, at the next packet that is no quiet get, and has all answers.

// multiget is the multi-get of a client of the binary protocol whose packets are being received.
type multiget struct {
	state multigetState
	key   []byte      // that is held
	form  binary.Form // of its answer
}

// multigetState is how far a multi-get has come:
//
//	none     the last packet was no quiet get
//	open     it was one, and no verb that removes something was among them
//	holding  one was, and is held until the multi-get ends
//	spoiled  a key was refused or had an error, so none such is run
//	running  it has ended, and what was held is being dispatched
type multigetState uint8

const (
	none multigetState = iota
	open
	holding
	spoiled
	running
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
func (c *client) multiget() *multiget {
	m := &c.input.multiget
	if (m.state == open || m.state == holding) && c.input.binary.Spoiled {
		m.state = spoiled
	}
	return m
}

// gathers takes a request into the multi-get, or ends the multi-get before it.
func (c *client) gathers(req *protocol.Request) course {
	m := c.multiget()
	switch {
	case m.state == running:
		return goesOn
	case c.routing.Keys == nil: // after a reload
	case c.input.binary.Next.QuietGet():
		return c.holds(req)
	case m.state == holding && c.removes(req):
		m.state = spoiled
		c.endMultiget()
		return denied
	case m.state == holding && c.refusesKey(req):
		m.state = spoiled
	case m.state == holding && c.replies.Len() > 0: // whose end wakes the client
		return waits
	case m.state == holding:
		if !c.runHeld() {
			return waits
		}
	}
	c.endMultiget()
	return goesOn
}

// holds holds req, a quiet get, if its verb removes what it answers with.
func (c *client) holds(req *protocol.Request) course {
	m := &c.input.multiget
	if m.state == none {
		m.state = open
		c.input.binary.BeginMultiget(c.replies.Tail)
	}
	if !c.removes(req) {
		return goesOn
	}
	switch m.state {
	case open:
		m.state, m.key, m.form = holding, append(m.key[:0], req.Key...), c.input.binary.Next
	case holding:
		m.state = spoiled
		c.refusedKey(req.Command, req.Key, alone(req.Key))
		fallthrough
	default:
		c.loop.stats[status.ClientErrors]++
	}
	return held
}

// removes reports whether req is a get whose key names a verb that removes what it answers with, and
// that is not refused.
func (c *client) removes(req *protocol.Request) bool {
	return c.loop.scratch.carriage.Load.Named > 0 && req.Command.Retrieval() && !c.refusesKey(req) && catalog.Of(&c.loop.scratch.carriage.Verb).Removes
}

// refusesKey reports whether req is a get whose key names a verb and is refused.
func (c *client) refusesKey(req *protocol.Request) bool {
	return c.loop.scratch.carriage.Load.Named > 0 && req.Command.Retrieval() &&
		c.routing.RefusesNamed(req.Command, req.Key, &c.loop.scratch.carriage.Verb) != ""
}

// runHeld dispatches the request that is held, unless it has to wait.
func (c *client) runHeld() bool {
	b, load := c.input.binary, c.loop.scratch.carriage.Load
	m, next, nextKey := &c.input.multiget, b.Next, b.NextKey
	var req protocol.Request
	req.SetRetrieval(protocol.Gets, m.key, 1, false)
	if m.state, b.Next, b.NextKey = running, m.form, nil; m.form.Keyed() {
		b.NextKey = m.key
	}
	c.loop.scratch.carriage.Weigh(c.routing.Keys, &req)
	done := c.dispatch(&req)
	b.Next, b.NextKey, c.loop.scratch.carriage.Load = next, nextKey, load
	if !done {
		m.state = holding
	}
	return done
}

// drops gives up what is held by a client whose request waits for that. It reports whether something was.
func (c *client) drops() bool {
	if c.input.binary == nil || c.multiget().state != holding {
		return false
	}
	c.input.multiget.state = spoiled
	return true
}

// endMultiget ends the multi-get.
func (c *client) endMultiget() {
	m := &c.input.multiget
	if m.state == spoiled && len(m.key) > 0 {
		c.loop.stats[status.ClientErrors]++
	}
	m.state, m.key = none, m.key[:0]
}
