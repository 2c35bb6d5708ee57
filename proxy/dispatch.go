package proxy

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
)

// dispatch carries out one request of c. It returns false, having done
// nothing, if the request has to wait; then c will be woken.
func (c *client) dispatch(req *protocol.Request) bool {
	if c.loop.carriage.load.named > 0 && !req.Command.Retrieval() {
		return c.dispatchCarried(req)
	}
	if !c.ready(req) {
		return false
	}
	c.count(req)
	switch command := req.Command; {
	case req.Refusal != "":
		c.dispatchRefusal(req)
	case command.Retrieval():
		c.dispatchRetrieval(req)
	case command.Verb():
		c.dispatchVerb(req)
	case len(req.Key) > 0:
		c.forward(req, c.loop.locate(req.Key), 0)
	default:
		c.dispatchLocal(req)
	}
	return true
}

// ready reports whether req can be carried out now. If not, c will be woken.
func (c *client) ready(req *protocol.Request) bool {
	return (len(c.runs) == 0 || !c.conflicts(req)) && !c.busy(req) && !c.waitsForWide(req)
}

// count enters req in the statistics, the parts of a long retrieval as one.
func (c *client) count(req *protocol.Request) {
	if c.series == nil {
		c.loop.stats.commands[req.Command]++
	}
}

// busy reports whether an upstream that req goes to has enough to do. c waits
// for the first of them; it looks again when it is woken.
func (c *client) busy(req *protocol.Request) bool {
	many := req.NumWords > 1 && (req.Command.Retrieval() || req.Command.TakesKeys())
	if many || req.Command.Retrieval() && c.loop.carriage.load.named > 0 || req.Command == protocol.LogFetch || req.Command == protocol.FlushAll {
		for _, u := range c.loop.upstreams {
			if u.busy(c) {
				return true
			}
		}
		return false
	}
	return len(req.Key) > 0 && c.loop.locate(req.Key).busy(c)
}

// located is the key that was looked up last. A request has its key looked up
// several times on its way, and that can cost more than all else.
type located struct {
	key      []byte
	upstream *upstream
}

// locate returns the upstream that owns key.
func (l *loop) locate(key []byte) *upstream {
	if len(l.upstreams) == 1 {
		return l.upstreams[0]
	}
	if l.located.upstream == nil || !bytes.Equal(key, l.located.key) {
		l.located.key = append(l.located.key[:0], key...)
		l.located.upstream = l.upstreams[l.server.layout.Locate(key)]
	}
	return l.located.upstream
}

// forward passes the request on to u as it is.
func (c *client) forward(req *protocol.Request, u *upstream, key uint32) {
	if req.Command.Meta() && u.state == up && !u.version.atLeast(metaCommands) {
		c.refuse("ERROR") // such an upstream would take the data block for commands
		return
	}
	p := pending{sink: c, command: req.Command, quiet: req.Quiet, key: key, keys: uint16(req.NumWords)}
	if !req.Quiet || req.Command.Meta() {
		p.slot = c.slots.reserve(bears(req.Command, req.NumWords), nil)
	}
	switch {
	case u.state == up && req.KeyReturn != nil:
		u.request(req, returnKey(c, req, p))
	case u.state == up && req.Elusive:
		u.requestElusive(req, p)
	case u.state == up:
		u.request(req, p)
	case !req.Quiet || req.Command.Meta():
		c.reply(p.slot, u.refusal, true)
	}
}

// dispatchLocal carries out a request that is for no single upstream.
func (c *client) dispatchLocal(req *protocol.Request) {
	switch req.Command {
	case protocol.MetaNoop:
		c.local("MN\r\n")
	case protocol.Version:
		c.local("VERSION " + c.loop.server.config.Version + "\r\n")
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

// dispatchVerbosity answers as memcached does. How much the proxy logs is set
// by a flag.
func (c *client) dispatchVerbosity(req *protocol.Request) {
	level, _ := protocol.NextWord(req.Words)
	_, ok := protocol.ReadUint(level)
	switch {
	case req.Quiet:
	case req.NumWords == 0:
		c.refuse("ERROR")
	case !ok:
		c.refuse("CLIENT_ERROR bad command line format")
	default:
		c.local("OK\r\n")
	}
}
