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
// A client is blocked, and its input waits, while too much is outstanding for it, or
// while its next request has to wait (admission.go). When that has ended, the client is
// woken.
type Client struct {
	loop     *Loop
	listener *config.Socket
	routing  *route.Table // that of the listener
	Conn     transport.Conn

	Gate      gate      // which of its requests are carried out
	Input     input     // what it has sent
	Pace      pace      // whether its next request has to wait
	lane      lane      // which connections to upstreams it uses
	Callers   callers   // its verbs
	Replies   replies   // what it is sent
	Departure departure // whether it leaves

	restore *restore // for keys without an encoding, after the last use of such a route
}

// name identifies the client in the log.
func (c *Client) name() string {
	return cmp.Or(c.Conn.Peer(), "unknown")
}

// held returns the memory kept for the client, in bytes.
func (c *Client) held() int {
	return cap(c.Input.Bytes) + c.Replies.memory() + c.Conn.Memory()
}

// outstanding reports whether the client has not got everything yet: a reply, the rest of one, or the
// reply to a request that was received and has to wait.
func (c *Client) outstanding() bool {
	return c.Replies.Len() > 0 || c.Conn.Out.Size() > 0 || c.Blocked() && c.Input.Pending() > 0
}

// count counts req in the statistics of p; the parts of a long retrieval count as one.
func (c *Client) count(req *protocol.Request, p *route.Pool) {
	c.spend(req.NumWords / wordsEffort)
	switch {
	case req.Verb != nil:
		p.Stats.Verbs.Verbs[req.Verb.Number].Calls++
		c.spend(VerbEffort - 1)
	case c.Replies.Long == nil:
		p.Stats.Commands[req.Command]++
	}
}

// forgetInput frees the input and the waiting request.
func (c *Client) forgetInput() {
	c.loop.Buffers.Put(c.Input.Bytes)
	c.Input.Bytes, c.Input.Offset = nil, 0
	c.forgetWaiting()
}

// forgetWaiting frees the waiting request, if there is one.
func (c *Client) forgetWaiting() {
	if c.Input.Waiting != nil {
		c.Input.Waiting = nil
		c.loop.Account.Give(waitingSize)
	}
}

// Blocked reports whether the client's next request has to wait.
func (c *Client) Blocked() bool { return c.Pace.state != flowing }

// block makes the client's further input wait until the client is woken.
func (c *Client) block() { c.Pace.state = c.Pace.state.waits() }

// spend adds effort, counted in requests, to what the client and the loop have carried out in this turn.
func (c *Client) spend(effort int) {
	c.Pace.Effort += effort
	c.loop.Clients.effort += effort
}

// spendOnAnswer is spend for an answer of the proxy's own, of so many bytes.
func (c *Client) spendOnAnswer(bytes int) { c.spend(bytes / answerEffort) }

// rest makes the client's further input wait for the end of the loop's turn.
func (c *Client) rest() {
	c.Pace.state = resting
	c.loop.Clients.resting = append(c.loop.Clients.resting, c)
	c.loop.net.AwaitEndOfTurn()
}

// hasHadTurn reports whether the client is to rest before its next request. late is how much of its
// input is carried out in a full turn.
func (c *Client) hasHadTurn(late int) bool {
	return c.Pace.Effort >= MaxTurn || c.loop.Clients.effort >= FullTurn && c.Pace.Effort >= late
}

// Ending reports whether the client is to be closed, or is.
func (c *Client) Ending() bool { return c.Departure.State != staying }

// gone reports whether the client is closed.
func (c *Client) gone() bool { return c.Departure.State == gone }

// moved extends the deadline of a leaving client after progress.
func (c *Client) moved() {
	if d := &c.Departure; d.State >= leaving {
		d.until, d.unread = c.loop.clock.After(d.Grace), -1
	}
}

// midRequest reports whether a part of a request has been received.
func (c *Client) midRequest() bool { return len(c.Input.Bytes) > 0 || c.Replies.Long != nil }
