package locks

import (
	"bytes"
	"fmt"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// These functions parse the lines of the verbs, see [protocol.Verb.Read].

// maxSeconds is the longest time that a lock can be held without another request. With the seconds
// that are added it is less than thirty days; memcached takes longer times for points in time.
const maxSeconds = 2_591_000

const errToken = "CLIENT_ERROR bad token: a token is 1 to 250 bytes without white space or control characters"

var errSeconds = fmt.Sprintf("CLIENT_ERROR "+verbs.BadSeconds+"how long the lock is held, 1 to %d", maxSeconds)

var errRelock = errSeconds + ", or negative to end it"

// mostHolders is the greatest number of holders of a lock.
const mostHolders = 100

// longestName is the longest name of a lock with holders. Names of places are never cut: two locks would share them.
const longestName = protocol.MaxKey - len(":") - verbs.LongestPartName

var errHolders = fmt.Sprintf("CLIENT_ERROR bad number of holders: how many tokens may hold the lock at a time, 1 to %d", mostHolders)

var errLongName = fmt.Sprintf("CLIENT_ERROR name too long: with holders, it is at most %d bytes, since the items of the lock are named after it", longestName)

// readLock reads <name> <token> <seconds> [<holders>] [noreply].
func readLock(rest []byte, req *protocol.Request) int {
	words := readWords(rest, req, 2, 3)
	_, times := protocol.NextWord(words)
	seconds, last := protocol.NextWord(times)
	n, _ := protocol.ParseInt(seconds)
	holders, isNumber := protocol.ParseInt(bytes.TrimSpace(last))
	switch {
	case req.Refusal != "":
	case n < 1 || n > maxSeconds:
		req.Refusal = errSeconds
	case len(last) == 0:
	case !isNumber || holders < 1 || holders > mostHolders:
		req.Refusal = errHolders
	case len(req.Key) > longestName:
		req.Refusal = errLongName
	}
	return 0
}

// readRelock reads <name> <token> <seconds> [noreply].
func readRelock(rest []byte, req *protocol.Request) int {
	_, seconds := protocol.NextWord(readWords(rest, req, 2, 2))
	if n := readSeconds(seconds); req.Refusal == "" && (n == 0 || n > maxSeconds) {
		req.Refusal = errRelock
	}
	return 0
}

// readSeconds returns the first word of list as a number, 0 if it is not one.
func readSeconds(list []byte) int64 {
	word, _ := protocol.NextWord(list)
	n, _ := protocol.ParseInt(word)
	return n
}

// readUnlock reads <name> <token> [noreply].
func readUnlock(rest []byte, req *protocol.Request) int {
	readWords(rest, req, 1, 1)
	return 0
}

// readWords reads a name and from least to most words, the first of which is a token, and the
// option. It returns the words.
func readWords(rest []byte, req *protocol.Request, least, most int) []byte {
	protocol.CutNoreply(&rest, req)
	verbs.ReadKey(rest, req, least, most)
	if token, _ := protocol.NextWord(req.Words); req.Refusal == "" && !protocol.PlainWord(token) {
		req.Refusal = errToken
	}
	return req.Words
}
