package limits

import (
	"fmt"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

const (
	// maxCount is the most that a limit allows, in any window.
	maxCount = 1 << 53
	// maxSeconds is the longest window: a leap year.
	maxSeconds = 366 * 24 * 60 * 60
	// maxKey is the longest key, so that the keys of the counters are not too long. They are never cut: two limits
	// would share them.
	maxKey = protocol.MaxKey - len(":limit:31622400:") - longestPart
	// longestPart is the length of the largest number of a part, that of the last millisecond that counts as one.
	longestPart = 12
)

var (
	errKey     = fmt.Sprintf("CLIENT_ERROR bad key: the key of a limit is 1 to %d bytes without white space or control characters", maxKey)
	errCount   = fmt.Sprintf("CLIENT_ERROR bad count: <count> is how many are allowed, 1 to %d", uint64(maxCount))
	errSeconds = fmt.Sprintf("CLIENT_ERROR "+verbs.BadSeconds+"how long the window is, 1 to %d", maxSeconds)
	errNumber  = "CLIENT_ERROR bad number: <n> is how many more there are to be, 0 to <count>, as more are never allowed; 0 only asks"
)

// readLimit reads <key> <count> <seconds> [<n>] [noreply], see [protocol.Verb.Read].
func readLimit(rest []byte, req *protocol.Request) int {
	protocol.CutNoreply(&rest, req)
	verbs.ReadKey(rest, req, 2, 3)
	if req.Refusal == "" || req.Refusal == verbs.ErrKey {
		CheckWords(req)
	}
	return 0
}

// CheckWords refuses a request whose key and words, <count> <seconds> [<n>], are not those of a limit.
func CheckWords(req *protocol.Request) {
	switch count, seconds, n := numbers(req.Words); {
	case !protocol.PlainWord(req.Key), len(req.Key) > maxKey:
		req.Refusal = errKey
	case count < 1, count > maxCount:
		req.Refusal = errCount
	case seconds < 1, seconds > maxSeconds:
		req.Refusal = errSeconds
	case n > count:
		req.Refusal = errNumber
	}
}

// numbers returns the words of a request. A count and seconds that are no numbers are 0, and n is then more than
// any count.
func numbers(words []byte) (count, seconds, n uint64) {
	word, words := protocol.NextWord(words)
	count, _ = protocol.ParseUint(word)
	word, words = protocol.NextWord(words)
	seconds, _ = protocol.ParseUint(word)
	if word, _ = protocol.NextWord(words); len(word) == 0 {
		return count, seconds, 1
	}
	n, ok := protocol.ParseUint(word)
	if !ok {
		n = maxCount + 1
	}
	return count, seconds, n
}
