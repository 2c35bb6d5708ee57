package verbs

import (
	"math"

	"github.com/memverbs/memverbs/protocol"
)

// ReadCount is the [protocol.Verb.Read] of a verb on <key> [<count>], where count is 1 or more. It
// refuses other counts with refusal.
func ReadCount(rest []byte, req *protocol.Request, refusal string) int {
	ReadKey(rest, req, 0, 1)
	word, _ := protocol.NextWord(req.Words)
	if n, ok := protocol.ParseUint(word); req.Refusal == "" && req.NumWords == 1 && (!ok || n == 0) {
		req.Refusal = refusal
	}
	return 0
}

// Wanted returns the count of a request that [ReadCount] has read, 1 if it has none.
func (c *Call) Wanted() int {
	count := uint64(1)
	if word, _ := protocol.NextWord(c.Words); len(word) > 0 {
		count, _ = protocol.ParseUint(word)
	}
	return int(min(count, math.MaxInt32))
}
