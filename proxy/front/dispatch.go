package front

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/reply"
	"github.com/memverbs/memverbs/proxy/report"
	"github.com/memverbs/memverbs/proxy/route"
)

// dispatch carries out one request of c. If the request has to wait, it does nothing
// and returns false, and c will be woken.
func (c *Client) dispatch(req *protocol.Request) bool {
	c.input.quiet = req.Quiet && req.Command.Meta()
	if c.holds != nil && !c.goesWithGets(req) {
		c.followed()
	}
	if c.input.binary != nil && (c.routing.Keys != nil || c.input.binary.multiget.state != none) {
		switch c.joinsMultiget(req) {
		case deferred:
			return true
		case waits:
			return false
		case denied:
			c.refusedKey(req.Command, req.Key, alone(req.Key))
			c.deny(req, c.routing.Target(req.Key), alone(req.Key))
			return true
		}
	}
	if c.loop.scratch.carriage.Load.Named > 0 && !req.Command.Retrieval() {
		return c.dispatchCarried(req)
	}
	to := c.routing.Target(req.Key)
	if to.Pool.Spare != nil && to.Owner != nil && to.Namespace == 0 {
		to.Divert(req.Command, req.Key)
	}
	if to.Copies != nil {
		c.leads(req, &to)
	}
	if refusal := c.routing.Refuses(req); refusal != "" {
		c.deny(req, to, refusal)
		return true
	}
	if to.Pool.Shared.Kept != nil && to.Namespace == 0 && c.answersNear(req, to) {
		return true
	}
	if !c.admits(req, to) {
		return false
	}
	c.count(req, to.Pool)
	reserved := c.replies.Tail
	c.begin(req, to.Pool)
	if req.Command.Storage() && to.Owner != nil && to.Owner.Outgrows(req) {
		req.RefuseAsTooLarge()
	}
	switch command := req.Command; {
	case req.Refusal != "":
		if req.RefusedAsTooLarge() {
			to.Pool.Stats.TooLarge++
		}
		c.dispatchRefusal(req, to)
	case command.Retrieval():
		c.dispatchRetrieval(req, to)
	case command == protocol.Extra:
		c.dispatchVerb(req, to)
	case to.Owner != nil:
		c.forward(c.stored(req, to), to)
	default:
		c.dispatchLocal(req)
	}
	c.over(reserved)
	return true
}

// deny answers a request that the client may not send.
func (c *Client) deny(req *protocol.Request, to route.Target, refusal string) {
	c.count(req, to.Pool)
	reserved := c.replies.Tail
	c.begin(req, to.Pool)
	switch {
	case req.Command.Retrieval():
		c.refuseRetrieval(req, refusal)
	case !req.Quiet || req.Command.Meta():
		c.refuse(refusal)
	}
	c.over(reserved)
}

// dispatchLocal carries out a request that is for no single upstream.
func (c *Client) dispatchLocal(req *protocol.Request) {
	switch req.Command {
	case protocol.Auth:
		c.reauthenticate(req)
	case protocol.MetaNoop:
		c.local("MN\r\n")
	case protocol.Version:
		c.local("VERSION " + c.routing.LowestVersion() + "\r\n")
	case protocol.Verbosity:
		if !req.Quiet { // a flag sets the log level
			c.local("OK\r\n")
		}
	case protocol.Quit:
		c.local("") // the binary protocol has an answer
		c.leave()
	case protocol.Stats:
		c.dispatchStats(req)
	case protocol.FlushAll:
		c.dispatchFlush(req)
	}
}

// dispatchStats answers stats, after all loops and, if needed, all upstreams have
// reported.
func (c *Client) dispatchStats(req *protocol.Request) {
	word, _ := protocol.NextWord(req.Words)
	what, asked := string(word), c.loop.timing.Stamp()
	home, slot := c.loop, c.replies.Reserve(0, nil)
	if what == "reset" {
		if refusal := c.routing.RefusesReset(); refusal != "" {
			c.reply(slot, []byte(refusal+"\r\n"), true)
			return
		}
	}
	if !home.answerStats(c.listener, what, func(text string) {
		home.Post(func() {
			if report.AsksUpstreams(what) {
				c.traceAsked(slot, "", asked)
			}
			c.reply(slot, []byte(text), reply.IsError([]byte(text)))
		})
	}) {
		c.reply(slot, []byte("ERROR\r\n"), true)
	}
}
