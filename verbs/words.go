package verbs

import (
	"strings"

	"github.com/memverbs/memverbs/protocol"
)

// These help [protocol.Verb.Read] to refuse a line. memcached has no messages for verbs,
// so these are our own: each says what was expected.

// ErrKey refuses a malformed key.
const ErrKey = "CLIENT_ERROR bad key: a key is 1 to 250 bytes without white space or control characters"

// Usage returns the refusal that shows how to write the verb that req asks for.
func Usage(req *protocol.Request) string {
	return "CLIENT_ERROR usage: " + strings.TrimSpace(req.Verb.Name+" "+req.Verb.Usage)
}
