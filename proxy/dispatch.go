package proxy

import (
	"github.com/memverbs/memverbs/protocol"
)

// dispatch carries out one request of c. If the request has to wait, it does nothing
// and returns false, and c will be woken.
func (c *client) dispatch(req *protocol.Request) bool {
	if c.loop.carriage.load.named > 0 && !req.Command.Retrieval() {
		return c.dispatchCarried(req)
	}
	owner := c.ownerOf(req)
	if !c.admits(req, owner) {
		return false
	}
	c.count(req)
	reserved := c.replies.tail
	c.begin(req)
	if req.Command.Storage() && owner != nil && owner.Outgrows(req) {
		req.RefuseAsTooLarge()
	}
	switch command := req.Command; {
	case req.Refusal != "":
		c.dispatchRefusal(req)
	case command.Retrieval():
		c.dispatchRetrieval(req, owner)
	case command == protocol.Extra:
		c.dispatchVerb(req, owner)
	case owner != nil:
		c.forward(req, owner)
	default:
		c.dispatchLocal(req)
	}
	c.over(reserved)
	return true
}

// dispatchLocal carries out a request that is for no single upstream.
func (c *client) dispatchLocal(req *protocol.Request) {
	switch req.Command {
	case protocol.MetaNoop:
		c.local("MN\r\n")
	case protocol.Version:
		c.local("VERSION " + c.loop.servers.LowestVersion() + "\r\n")
	case protocol.Verbosity:
		c.dispatchVerbosity(req)
	case protocol.Quit:
		c.leave()
	case protocol.Stats:
		c.dispatchStats(req)
	case protocol.FlushAll:
		c.dispatchFlush(req)
	}
}

// dispatchVerbosity answers OK and does nothing. A flag sets the log level.
func (c *client) dispatchVerbosity(req *protocol.Request) {
	if !req.Quiet {
		c.local("OK\r\n")
	}
}

// dispatchStats answers stats, after all loops and, if needed, all upstreams have
// reported.
func (c *client) dispatchStats(req *protocol.Request) {
	word, _ := protocol.NextWord(req.Words)
	home, slot := c.loop, c.replies.reserve(0, nil)
	if !home.answerStats(string(word), func(text string) {
		home.post(func() { c.reply(slot, []byte(text), isError([]byte(text))) })
	}) {
		c.reply(slot, []byte("ERROR\r\n"), true)
	}
}
