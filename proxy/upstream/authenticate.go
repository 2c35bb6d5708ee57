package upstream

import "github.com/memverbs/memverbs/protocol"

// authenticate sends the user and the password on a new connection, if there are any.
func (c *Connection) authenticate() {
	if request := c.env.Login.Request(); request != "" {
		c.Ask(request, Pending{Sink: SinkFunc(c.loggedIn), Command: protocol.Set})
	}
}

// loggedIn receives the answer to the user and the password.
func (c *Connection) loggedIn(_ *Pending, a *Answer) {
	if !a.Failed() && string(a.Last.Line) != "STORED" {
		c.Fail(c.env.Login.whyRefused(a.Last.Line))
	}
}
