package upstream

import "github.com/memverbs/memverbs/protocol"

// authenticate sends the user and the password on a new connection, if there are any.
func (c *Connection) authenticate() {
	if request := c.env.Login.Request(); request != "" {
		c.Ask(request, Pending{Sink: login{c}, Command: protocol.Set})
	}
}

// login receives the answer to the user and the password.
type login struct{ connection *Connection }

// Answered implements [Sink].
func (l login) Answered(_ *Pending, a *Answer) {
	if !a.Failed() && string(a.Last.Line) != "STORED" {
		l.connection.Fail(l.connection.env.Login.whyRefused(a.Last.Line))
	}
}
