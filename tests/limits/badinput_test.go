package limits

import (
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// badInput is something that no client should send, and what it is answered.
type badInput struct {
	name   string
	sent   string
	reply  string // exactly, or the start of it if it ends in …
	hangUp bool   // and then the connection is closed
}

var badInputs = []badInput{
	{"unknown command", "frobnicate k 1\r\n", "ERROR\r\n", false},
	{"no command", "\r\n", "CLIENT_ERROR bad command line format\r\n", false},
	{"missing arguments", "set k 0 0\r\n", "CLIENT_ERROR bad command line format\r\n", false},
	{"surplus arguments", "touch k 0 1 2 3\r\n", "NOT_FOUND\r\n", false},
	{"flags that are no number", "set k x 0 5\r\nhello\r\n", "CLIENT_ERROR bad command line format\r\n", false},
	{"negative length", "set k 0 0 -5\r\n", "CLIENT_ERROR bad command line format\r\n", false},
	{"huge length", "set k 0 0 99999999999999999999\r\n", "CLIENT_ERROR bad command line format\r\n", false},
	{"value too large", "set k 0 0 2000000\r\n" + strings.Repeat("x", 2000000) + "\r\n", "SERVER_ERROR object too large for cache\r\n", false},
	{"key of 251 bytes", "get " + strings.Repeat("k", 251) + "\r\n", "CLIENT_ERROR bad command line format\r\n", false},
	{"key of 251 bytes with data", "set " + strings.Repeat("k", 251) + " 0 0 5\r\nhello\r\n", "CLIENT_ERROR bad command line format\r\n", false},
	{"control characters in a key", "get \x01\x02\x7f\r\n", "END\r\n", false}, // memcached takes them
	{"control characters in a member", "sadd k \x01\r\n", "CLIENT_ERROR bad member: …", false},
	{"a NUL in a line", "get k\x00 and more\r\n", "CLIENT_ERROR bad command line format\r\n", false}, // versions read it differently
	{"data too long", "set k 0 0 3\r\nhello you\r\n", "CLIENT_ERROR bad data chunk\r\nERROR\r\n", false},
	{"data too short", "set k 0 0 9\r\nhello\r\nget key\r\n", "CLIENT_ERROR bad data chunk\r\nERROR\r\n", false},
	{"data without its end", "set k 0 0 5\r\nhelloXYget k\r\n", "CLIENT_ERROR bad data chunk\r\nEND\r\n", false},
	{"verb without arguments", "sadd\r\n", "CLIENT_ERROR usage: sadd …", false},
	{"time that is none", "logput l 0 now 5\r\nhello\r\n", "CLIENT_ERROR bad time: …", false},
	{"event too large", "logput l 0 0 2000000\r\n" + strings.Repeat("x", 2000000) + "\r\n", "SERVER_ERROR object too large for cache\r\n", false},
	{"HTTP", "POST /x HTTP/1.1\r\nHost: localhost\r\n\r\n", "CLIENT_ERROR this is not an HTTP server…", true},
	{"a line of 10 MB", strings.Repeat("x", 10<<20), "CLIENT_ERROR line too long\r\n", true},
	{"a key of 10 MB", "get " + strings.Repeat("k", 10<<20) + "\r\n", "CLIENT_ERROR bad command line format\r\n", false},
	{"a list of 10 MB", "sadd k " + strings.Repeat("member ", 10<<20/7), "CLIENT_ERROR line too long: that of sadd has at most 1048576 bytes; send several\r\n", true},
}

// Bad input is answered with what memcached says, or with what is wrong, and
// the connection stays in step or is closed.
func TestBadInput(t *testing.T) {
	t.Parallel()
	harness.ForEachStore(t, func(t *testing.T, s *harness.Store) {
		for _, bad := range badInputs {
			c := harness.Dial(t, s.Addr)
			go c.Conn().Write([]byte(bad.sent)) // what is sent may be more than is ever taken
			start, found := strings.CutSuffix(bad.reply, "…")
			if c.Expect(start); found {
				c.Line()
			}
			if bad.hangUp {
				c.Closed()
			} else {
				c.InStep()
			}
			c.Close()
		}
		checkWell(t, s)
	})
}

// A client that leaves in the middle of bad input does no harm either.
func TestBadInputCutShort(t *testing.T) {
	t.Parallel()
	harness.ForEachStore(t, func(t *testing.T, s *harness.Store) {
		for _, bad := range badInputs {
			for _, part := range []int{1, len(bad.sent) / 3, len(bad.sent) / 2, len(bad.sent) - 2} {
				c := harness.Dial(t, s.Addr)
				c.Conn().Write([]byte(bad.sent[:max(part, 0)])) // an error is the proxy hanging up
				c.Close()
			}
		}
		checkWell(t, s)
	})
}

// checkWell sees that the store serves, and that no client is left.
func checkWell(t *testing.T, s *harness.Store) {
	t.Helper()
	c := harness.Dial(t, s.Addr)
	c.Ask("set well 0 0 2\r\nok\r\nget well\r\nsadd wells a\r\nscard wells\r\n",
		"STORED\r\nVALUE well 0 2\r\nok\r\nEND\r\nSTORED\r\n1\r\n")
	c.Close()
	harness.Await(t, "all clients but the one that asks to be gone", func() bool {
		return s.Memverbs.Stats()["curr_connections"] == "1"
	})
}
