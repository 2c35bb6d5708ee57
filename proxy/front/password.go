package front

import (
	"bytes"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/status"
)

func asksForMechanisms(req *protocol.Request) bool {
	return req.Command == protocol.Auth && req.NumWords == 0
}

// credentials returns the user and the password in req, or, if it has none, the error that answers
// it.
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

// penalize answers a wrong password after a while. It logs that, but not the user that the client
// has sent: somebody may have put the password there by mistake.
func (c *Client) penalize() {
	c.loop.Stats[status.AuthErrors]++
	c.loop.refusals.Log(c.loop.Log, "a client gave a wrong user or password", "client", c.name(), "listener", c.listener.Name())
	c.setGate(c.gate.state.wrong(c.demandsPassword()))
	c.block()
	slot := c.replies.Reserve(0, nil)
	time.AfterFunc(penalty, func() {
		c.loop.Post(func() {
			c.gate.state = c.gate.state.answered()
			c.reply(slot, []byte(wrongPassword+"\r\n"), true)
		})
	})
}

// reauthenticate answers a password from a client whose requests are carried out already.
func (c *Client) reauthenticate(req *protocol.Request) {
	if asksForMechanisms(req) {
		c.local("OK\r\n")
		return
	}
	user, password, wrong := credentials(req)
	if wrong != "" {
		c.refuse(wrong)
		return
	}
	c.login(user, password)
}

// login answers a user and a password, and reports whether they are right. Where none are demanded, none are.
func (c *Client) login(user, password []byte) bool {
	c.loop.Stats[status.Authentications]++
	if !c.demandsPassword() || !c.routing.Passwords.Accepts(user, password) {
		c.penalize()
		return false
	}
	c.setGate(admitted)
	c.local("STORED\r\n")
	return true
}

// demandsPassword reports whether the client's listener has passwords.
func (c *Client) demandsPassword() bool { return c.routing.Passwords != nil }

// setGate sets the state of the gate, and what depends on it: the longest value that the parsers accept, and
// whether the client is disconnected because it has not shown a password.
func (c *Client) setGate(next gateState) {
	c.gate.state = next
	most := c.longestValue()
	if c.input.parser != nil {
		c.input.parser.MaxData = most
	}
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

// longestValue returns how long a value may be that the parsers accept, in bytes.
func (c *Client) longestValue() int {
	if c.gate.state.passes() {
		return c.routing.MaxItemSize()
	}
	return maxCredentials
}

// limitAuthTime disconnects the client after a while, unless the timer is stopped before.
func (c *Client) limitAuthTime() {
	var timer *time.Timer
	timer = time.AfterFunc(authTime, func() {
		c.loop.Post(func() {
			if c.gate.timer == timer {
				c.abort()
			}
		})
	})
	c.gate.timer = timer
}

const (
	// maxCredentials is how long a message with a user and a password may be, in bytes.
	maxCredentials = 1 << 10
	// penalty delays the answer to a wrong password, so that passwords can't be tried quickly.
	// Clients commonly wait for at least a second, so they still get the reason.
	penalty = 500 * time.Millisecond
	// authTime is how long a client may remain connected without authenticating.
	authTime = time.Minute
)

const (
	unauthenticated = "CLIENT_ERROR unauthenticated"
	wrongPassword   = "CLIENT_ERROR authentication failure"
)
