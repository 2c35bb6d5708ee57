package proxy

import (
	"bytes"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/secure"
	"github.com/memverbs/memverbs/proxy/status"
)

// Before a client's first request is dispatched, its protocol is recognized. If its listener has
// passwords, the client has to authenticate first: by a set of "user password" under any key, as
// with -Y of memcached 1.6.45, or by SASL PLAIN in the binary protocol. Until then everything but quit is
// refused, and nothing that it sends reaches an upstream.

const (
	// maxCredentials is how long a message with a user and a password may be, in bytes.
	maxCredentials = 1 << 10
	// penalty is how long the answer to a wrong password takes, so that they can't be tried
	// quickly. Clients commonly wait for a second at least, so they are told why.
	penalty = 500 * time.Millisecond
	// authTime is how long a client may remain connected without authenticating.
	authTime = time.Minute
)

const (
	unauthenticated = "CLIENT_ERROR unauthenticated"
	wrongPassword   = "CLIENT_ERROR authentication failure"
)

// noTLS answers a client that speaks TLS where it should not. No command begins like a handshake,
// which may have no line end, so that its client would wait.
const noTLS = "SERVER_ERROR this address does not speak TLS"

// enter is step until requests may be dispatched.
func (c *client) enter(data []byte) (n int, more bool) {
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
	case c.replies.Long != nil: // in the middle of which a reload has begun to demand passwords
		c.leave()
		return 0, false
	}
	return c.awaitPassword(data)
}

// demandsPassword reports whether the client's listener has passwords.
func (c *client) demandsPassword() bool { return c.routing.Passwords != nil }

// setGate sets the state of the gate, and what depends on it: the longest value that the parsers accept, and
// whether the client is disconnected because it has not shown a password.
func (c *client) setGate(next gateState) {
	most := maxCredentials
	if c.gate.state = next; next.passes() {
		most = c.routing.MaxItemSize()
	}
	c.input.parser.MaxData = most
	if c.input.binary != nil {
		c.input.binary.Parser.MaxData, c.input.binary.Parser.SASL = most, c.demandsPassword()
	}
	switch demanded := c.demandsPassword() && next != admitted; {
	case !demanded:
		c.gate.stopTimer()
	case c.gate.timer == nil:
		c.limitAuthTime()
	}
}

// limitAuthTime disconnects the client after a while, unless the timer is stopped before.
func (c *client) limitAuthTime() {
	var timer *time.Timer
	timer = time.AfterFunc(authTime, func() {
		c.loop.post(func() {
			if c.gate.timer == timer {
				c.abort()
			}
		})
	})
	c.gate.timer = timer
}

// awaitPassword reads a request of a client that has not authenticated. It returns what step does.
func (c *client) awaitPassword(data []byte) (n int, more bool) {
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

// authenticate answers req as one of a client that may do nothing but authenticate and quit. It
// reports whether the next request may follow.
func (c *client) authenticate(req *protocol.Request) bool {
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
	c.loop.stats[status.Authentications]++
	if !c.routing.Passwords.Accepts(user, password) {
		c.penalize()
		return false
	}
	c.setGate(admitted)
	c.local("STORED\r\n")
	return true
}

func asksForMechanisms(req *protocol.Request) bool {
	return req.Command == protocol.Auth && req.NumWords == 0
}

// credentials returns the user and the password that req has, or the error that answers a
// request without.
func credentials(req *protocol.Request) (user, password []byte, wrong string) {
	switch {
	case req.Refusal != "":
	case req.Command == protocol.Set:
		user, password, found := bytes.Cut(req.Data, []byte{' '}) // a password may have spaces
		if !found {
			return nil, nil, "CLIENT_ERROR bad authentication token format"
		}
		return user, password, ""
	case req.Command == protocol.Auth:
		// RFC 4616: whom to act as, the user and the password, separated by zero bytes.
		parts := bytes.SplitN(req.Data, []byte{0}, 4)
		if string(req.Words) != "PLAIN" || len(parts) != 3 {
			return nil, nil, wrongPassword
		}
		return parts[1], parts[2], ""
	}
	return nil, nil, unauthenticated
}

// penalize answers a wrong password after a while. The log tells of it, but not what the client has
// sent: who confuses the user with the password would have that in the log.
func (c *client) penalize() {
	c.loop.stats[status.AuthErrors]++
	c.loop.refusals.Log(c.loop.log, "a client gave a wrong user or password", "client", c.name(), "listener", c.listener.Name())
	c.setGate(c.gate.state.wrong(c.demandsPassword()))
	c.block()
	slot := c.replies.Reserve(0, nil)
	time.AfterFunc(penalty, func() {
		c.loop.post(func() {
			c.gate.state = c.gate.state.answered()
			c.reply(slot, []byte(wrongPassword+"\r\n"), true)
		})
	})
}

// reauthenticate answers an authentication of a client that may do everything already.
func (c *client) reauthenticate(req *protocol.Request) {
	if asksForMechanisms(req) {
		c.local("OK\r\n")
		return
	}
	user, password, wrong := credentials(req)
	if wrong != "" {
		c.refuse(wrong)
		return
	}
	c.loop.stats[status.Authentications]++
	if !c.demandsPassword() || !c.routing.Passwords.Accepts(user, password) {
		c.penalize()
		return
	}
	c.local("STORED\r\n")
}
