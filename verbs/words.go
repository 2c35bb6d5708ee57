package verbs

import (
	"strings"

	"github.com/memverbs/memverbs/protocol"
)

// How the lines of verbs are read, see [protocol.Verb]. The words of a refusal are ours,
// as memcached knows no verbs: each says what was expected.

// ErrKey refuses what is no key.
const ErrKey = "CLIENT_ERROR bad key: a key is 1 to 250 bytes without white space or control characters"

// Usage says how the verb that req asks for is written.
func Usage(req *protocol.Request) string {
	return "CLIENT_ERROR usage: " + strings.TrimSpace(req.Verb.Name+" "+req.Verb.Usage)
}
