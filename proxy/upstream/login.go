package upstream

import (
	"fmt"

	"github.com/memverbs/memverbs/protocol"
)

// Login is the user and the password for the upstreams of a pool. The zero value is for upstreams
// that ask for none. Neither part may have spaces or control characters.
type Login struct{ User, Password string }

// ask sends the user and the password on a new connection, if there are any: as a set, whose key
// memcached ignores while it waits for them. If it does not ask for any, it takes the set for
// one, so the item is one that has expired already.
func (l Login) ask(c *Connection) {
	if l == (Login{}) {
		return
	}
	both := l.User + " " + l.Password
	c.Ask(fmt.Sprintf("set memverbs 0 -1 %d\r\n%s\r\n", len(both), both), Pending{Sink: login{c}, Command: protocol.Set})
}

// login receives the answer to the user and the password.
type login struct{ connection *Connection }

// Answered implements [Sink].
func (l login) Answered(_ *Pending, a *Answer) {
	if !a.Fail && string(a.Last.Line) != "STORED" {
		l.connection.Fail(fmt.Sprintf("refuses the user and the password: %s", a.Last.Line))
	}
}

// unauthenticated is memcached's answer to whatever comes before a user and a password.
const unauthenticated = "CLIENT_ERROR unauthenticated"

// whyUnversioned describes an answer that should have been the version.
func whyUnversioned(line []byte) string {
	if string(line) == unauthenticated {
		return "asks for a user and a password: set those of the pool"
	}
	return fmt.Sprintf("refuses connections: %s", line)
}
