package front

import (
	"cmp"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/transport"
)

// Client is a client's connection: its input, split into requests, and its replies.
//
// A client is blocked, and its input waits, while too much is outstanding for it, or while its next
// request has to wait (admission.go). When the reason is gone, the client is woken.
type Client struct {
	loop     *Loop
	listener *config.Socket
	routing  *route.Table // that of the listener
	conn     transport.Conn

	gate      gate      // which of its requests are carried out
	input     input     // what it has sent
	pace      pace      // whether its next request has to wait
	lane      lane      // which connections to upstreams it uses
	callers   callers   // its verbs
	replies   replies   // what it is sent
	departure departure // whether it leaves

	spaced  *spaced  // its requests on keys in namespaces; nil before the first
	copied  *copied  // its requests on keys with copies; nil before the first
	holds   *holds   // its gets that wait; nil before the first that may
	restore *restore // kept for reuse; nil before the first request whose reply needs one
}

// name identifies the client in the log.
func (c *Client) name() string {
	return cmp.Or(c.conn.Peer(), "unknown")
}

// memory returns the memory kept for the client, in bytes.
func (c *Client) memory() int {
	return cap(c.input.bytes()) + c.replies.memory() + c.conn.Memory()
}

// outstanding reports whether the client has still to receive something: a reply, the rest of one, or
// the reply to a request that was received and has to wait.
func (c *Client) outstanding() bool {
	return c.replies.Len() > 0 || c.conn.Out.Size() > 0 || c.blocked() && c.input.pending() > 0
}

// count counts req in the statistics of p; the parts of a long retrieval count as one.
func (c *Client) count(req *protocol.Request, p *route.Pool) {
	c.spend(min(req.NumWords/wordsEffort, mostForWords))
	switch {
	case req.Verb != nil:
		p.Stats.Verbs.Verbs[req.Verb.Number].Calls++
		c.spend(verbEffort - 1)
	case c.replies.Long == nil:
		p.Stats.Commands[req.Command]++
	}
}

// useCopied returns what the client has under way on keys with copies.
func (c *Client) useCopied() *copied {
	if c.copied == nil {
		c.copied = &copied{}
	}
	return c.copied
}

// forgetInput frees the input and the waiting request.
func (c *Client) forgetInput() {
	b := c.input.backlog
	if b == nil {
		return
	}
	c.loop.Buffers.Put(b.bytes)
	c.forgetWaiting()
	c.input.backlog, *b = nil, backlog{}
	c.loop.reuse.backlogs.Keep(b)
}

// useBacklog returns the client's backlog, to which something is to be added.
func (c *Client) useBacklog() *backlog {
	if c.input.backlog == nil {
		c.input.backlog = c.loop.reuse.backlogs.Take()
	}
	return c.input.backlog
}

// forgetWaiting frees the waiting request, if there is one.
func (c *Client) forgetWaiting() {
	if c.input.waiting() != nil {
		c.input.backlog.waiting = nil
		c.loop.Account.Free(waitingSize)
	}
}

// blocked reports whether the client's next request has to wait.
func (c *Client) blocked() bool { return c.pace.state != flowing }

// block makes the client's further input wait until the client is woken.
func (c *Client) block() { c.pace.state = c.pace.state.waits() }

// spend adds effort, counted in requests, to that of the client and of all clients in this turn of the
// loop.
func (c *Client) spend(effort int) {
	c.pace.effort += int32(effort)
	c.loop.Clients.effort += effort
}

// spendOnAnswer is spend for an answer of the proxy's own, of so many bytes.
func (c *Client) spendOnAnswer(bytes int) { c.spend(bytes / answerEffort) }

// rest makes the client's further input wait until the loop's turn ends.
func (c *Client) rest() {
	c.pace.state = resting
	c.loop.Clients.resting = append(c.loop.Clients.resting, c)
	c.loop.net.AwaitEndOfTurn()
}

// hasToRest reports whether the client must rest before its next request. late is how much effort its
// input may take once the turn is full.
func (c *Client) hasToRest(late int) bool {
	effort := int(c.pace.effort)
	return effort >= clientEffort || c.loop.Clients.effort >= fullEffort && effort >= late
}

// ending reports whether the client is to be closed, or is.
func (c *Client) ending() bool { return c.departure.state != staying }

// gone reports whether the client is closed.
func (c *Client) gone() bool { return c.departure.state == gone }

// moved extends the deadline of a leaving client, which has made progress.
func (c *Client) moved() {
	if d := &c.departure; d.state >= leaving {
		d.until, d.undelivered = c.loop.clock.Ticks+d.grace, -1
	}
}

// midRequest reports whether a part of a request has been received.
func (c *Client) midRequest() bool { return len(c.input.bytes()) > 0 || c.replies.Long != nil }
