package front

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/secure"
)

// Before a client's first request is dispatched, its protocol is recognized. If its listener has
// passwords, the client has to authenticate first: by a set of "user password" under any key, as
// with -Y of memcached 1.6.45, or by SASL PLAIN in the binary protocol. Until then everything but quit is
// refused, and nothing that it sends reaches an upstream.

// noTLS answers a client that begins a TLS handshake at a listener without TLS. No command begins
// like a handshake. Without this answer the client would wait, since a handshake may contain no
// line end.
const noTLS = "SERVER_ERROR this address does not speak TLS"

// enter replaces step until the client's requests may be dispatched.
func (c *Client) enter(data []byte) (n int, more bool) {
	switch {
	case c.gate.state == unrecognized && len(data) == 0:
		return 0, false
	case c.gate.state == unrecognized && data[0] == secure.FirstByte:
		c.refuse(noTLS)
		c.leave()
		return 0, false
	case c.gate.state == unrecognized:
		c.recognize(data[0])
		c.setGate(c.gate.state.recognized(c.demandsPassword()))
		return c.step(data)
	case c.replies.Long != nil: // a reload has introduced passwords in the middle of a long retrieval
		c.leave()
		return 0, false
	}
	return c.awaitPassword(data)
}

// awaitPassword reads a request of a client that has not authenticated. It returns what step does.
func (c *Client) awaitPassword(data []byte) (n int, more bool) {
	switch {
	case c.gate.state == penalized:
		c.block()
		return 0, false
	case c.departure.dismissed():
		c.leave()
		return 0, false
	}
	req := &c.loop.scratch.req
	n, status := c.parse(data, req)
	switch status {
	case protocol.Partial:
		return n, false
	case protocol.Broken:
		c.breakOff(req)
		return 0, false
	}
	return n, c.authenticate(req)
}

// authenticate answers req of a client that may only authenticate and quit. It reports whether the
// next request may be read.
func (c *Client) authenticate(req *protocol.Request) bool {
	user, password, wrong := credentials(req)
	switch {
	case req.Command == protocol.Quit:
		c.local("")
		c.leave()
		return false
	case asksForMechanisms(req):
		c.local("OK\r\n")
		return true
	case req.More: // the last part of the retrieval is answered
		return true
	case wrong != "":
		c.refuse(wrong)
		if c.input.binary != nil { // as memcached does
			c.leave()
		}
		return c.input.binary == nil
	}
	return c.login(user, password)
}
