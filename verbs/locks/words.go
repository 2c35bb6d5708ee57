package locks

import (
	"fmt"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// These functions parse the lines of the verbs, see [protocol.Verb.Read].

// maxSeconds is the longest time that a lock can be held without another request. With the
// seconds that are added it is less than thirty days, from which on memcached takes times
// for points in time.
const maxSeconds = 2_591_000

const errToken = "CLIENT_ERROR bad token: a token is 1 to 250 bytes without white space or control characters"

var errSeconds = fmt.Sprintf("CLIENT_ERROR "+verbs.BadSeconds+"how long the lock is held, 1 to %d", maxSeconds)

// readHold reads <name> <token> <seconds> [noreply].
func readHold(rest []byte, req *protocol.Request) int {
	if words := readWords(rest, req, 2); req.Refusal == "" {
		_, last := protocol.NextWord(words)
		if n := readSeconds(last); n < 1 || n > maxSeconds {
			req.Refusal = errSeconds
		}
	}
	return 0
}

// readSeconds returns the number that the only word of list is, 0 if it is none.
func readSeconds(list []byte) int64 {
	word, _ := protocol.NextWord(list)
	n, _ := protocol.ParseInt(word)
	return n
}

// readUnlock reads <name> <token> [noreply].
func readUnlock(rest []byte, req *protocol.Request) int {
	readWords(rest, req, 1)
	return 0
}

// readWords reads a name and exactly n words, the first of which is a token, and the
// option. It returns the words.
func readWords(rest []byte, req *protocol.Request, n int) []byte {
	protocol.CutNoreply(&rest, req)
	verbs.ReadKey(rest, req, n, n)
	if token, _ := protocol.NextWord(req.Words); req.Refusal == "" && !protocol.PlainWord(token) {
		req.Refusal = errToken
	}
	return req.Words
}
