package upstream

import (
	"fmt"
	"strings"

	"github.com/memverbs/memverbs/protocol"
)

// Login is the user and the password for the upstreams of a pool. The zero value is for upstreams
// that ask for none. Neither part may have control characters, and the user no spaces.
type Login struct{ User, Password string }

// Request returns what to send first on a connection to an upstream, empty for the zero value. It
// is a set, whose key memcached ignores while it waits for a password. If it does not ask for one,
// it carries out the set, so the set's exptime is in the past and nothing is stored. In both cases
// memcached answers STORED.
func (l Login) Request() string {
	if l == (Login{}) {
		return ""
	}
	both := l.User + " " + l.Password
	return fmt.Sprintf("set memverbs 0 -1 %d\r\n%s\r\n", len(both), both)
}

// unauthenticated is memcached's answer to every request before a user and a password. A server
// that begins to ask for them later sends it too.
const unauthenticated = "CLIENT_ERROR unauthenticated"

// asks reports whether a reply says that the server asks for a user and a password.
func asks(r *protocol.Reply) bool {
	return r.Kind == protocol.ReplyError && string(r.Line) == unauthenticated
}

// whyRefused returns the reason for an outage: the server has not accepted the user and the
// password, but has answered with line.
func (l Login) whyRefused(line []byte) string {
	why := "refuses the user and the password: " + l.hide(line)
	if strings.Contains(l.Password, " ") {
		why += "; versions of memcached before 1.6.45, such as 1.6.38, accept no password with a space"
	}
	return why
}

// whyAsked returns the reason for an outage: the server asks for a user and a password, although it
// was sent those of l.
func (l Login) whyAsked() string {
	if l == (Login{}) {
		return "asks for a user and a password: set user and password-file of the pool"
	}
	return l.whyRefused([]byte(unauthenticated))
}

// whyUnversioned returns the reason for an outage: the server has answered version with line, which
// is not a version.
func (l Login) whyUnversioned(line []byte) string {
	if string(line) == "ERROR" {
		return "answers ERROR to version, which every memcached knows: is it a memcached, and not a proxy such as nutcracker?"
	}
	return "refuses connections: " + l.hide(line)
}

// hide returns a line of a server with the password removed, since clients will see it.
func (l Login) hide(line []byte) string {
	if l.Password == "" {
		return string(line)
	}
	return strings.ReplaceAll(string(line), l.Password, "…")
}
