package verbs

import (
	"math"
	"strings"

	"github.com/memverbs/memverbs/protocol"
)

// How the lines of verbs are read, see [protocol.Verb]. The words of a refusal are ours,
// as memcached knows no verbs: each says what was expected.

const (
	errKey    = "CLIENT_ERROR bad key: a key is 1 to 250 bytes without white space or control characters"
	errMember = "CLIENT_ERROR bad member: a member is 1 to 250 bytes without white space or control characters"
	errCount  = "CLIENT_ERROR bad count: <count> is how many members, 1 or more"
	errWhen   = "CLIENT_ERROR bad time: a time is in milliseconds since 1970, 0 for now, or negative for that long before now"
)

// usage says how the verb that req asks for is written.
func usage(req *protocol.Request) string {
	return "CLIENT_ERROR usage: " + strings.TrimSpace(req.Verb.Name+" "+req.Verb.Usage)
}

// readChange reads <key> <member>+ [noreply].
func readChange(rest []byte, req *protocol.Request) int {
	protocol.CutNoreply(&rest, req)
	return readMembers(rest, req)
}

// readMembers reads <key> <member>+.
func readMembers(rest []byte, req *protocol.Request) int {
	req.Key, rest = protocol.NextWord(rest)
	req.Words, req.NumWords = rest, protocol.CountWords(rest)
	switch {
	case req.NumWords == 0:
		req.Refusal = usage(req)
	case !protocol.PlainWord(req.Key):
		req.Refusal = errKey
	case !plainWords(rest):
		req.Refusal = errMember
	}
	return 0
}

// keyList returns what reads so many keys.
func keyList(least, most int) func(rest []byte, req *protocol.Request) int {
	return func(rest []byte, req *protocol.Request) int {
		req.Key, _ = protocol.NextWord(rest)
		req.Words, req.NumWords = rest, protocol.CountWords(rest)
		switch {
		case req.NumWords < least, req.NumWords > most:
			req.Refusal = usage(req)
		case !plainWords(rest):
			req.Refusal = errKey
		}
		return 0
	}
}

// readCount reads <key> [<count>].
func readCount(rest []byte, req *protocol.Request) int {
	req.Key, rest = protocol.NextWord(rest)
	req.Words, req.NumWords = rest, protocol.CountWords(rest)
	word, _ := protocol.NextWord(rest)
	n, ok := protocol.ParseUint(word)
	switch {
	case len(req.Key) == 0, req.NumWords > 1:
		req.Refusal = usage(req)
	case !protocol.PlainWord(req.Key):
		req.Refusal = errKey
	case req.NumWords == 1 && (!ok || n == 0):
		req.Refusal = errCount
	}
	return 0
}

// readNothing reads no words, whatever there are.
func readNothing([]byte, *protocol.Request) int { return 0 }

func plainWords(list []byte) bool {
	for {
		word, rest := protocol.NextWord(list)
		if len(word) == 0 {
			return true
		}
		if !protocol.PlainWord(word) {
			return false
		}
		list = rest
	}
}

// readLogPut reads <log> <flags> <when> <bytes> [noreply].
func readLogPut(rest []byte, req *protocol.Request) int {
	protocol.CutNoreply(&rest, req)
	if protocol.CountWords(rest) != 4 {
		req.Refusal = usage(req)
		return -1
	}
	var flags, when, length []byte
	req.Key, rest = protocol.NextWord(rest)
	flags, rest = protocol.NextWord(rest)
	when, rest = protocol.NextWord(rest)
	length, _ = protocol.NextWord(rest)
	size, okSize := protocol.ParseLength(length)
	n, okFlags := protocol.ParseUint(flags)
	var okWhen bool
	req.When, okWhen = protocol.ParseInt(when)
	req.Flags = uint32(n)
	switch {
	case !okSize:
		req.Refusal = "CLIENT_ERROR bad length: <bytes> is the length of the data block"
	case !protocol.PlainWord(req.Key):
		req.Refusal = errKey
	case !okFlags || n > math.MaxUint32:
		req.Refusal = "CLIENT_ERROR bad flags: <flags> is a number of 32 bits"
	case !okWhen:
		req.Refusal = errWhen
	}
	return size
}

// readLogFetch reads <log> [<first> [<last>]].
func readLogFetch(rest []byte, req *protocol.Request) int {
	req.Key, rest = protocol.NextWord(rest)
	req.Words, req.NumWords = rest, protocol.CountWords(rest)
	switch {
	case len(req.Key) == 0, req.NumWords > 2:
		req.Refusal = usage(req)
		return 0
	case !protocol.PlainWord(req.Key):
		req.Refusal = errKey
		return 0
	}
	for list := rest; ; {
		var word []byte
		if word, list = protocol.NextWord(list); len(word) == 0 {
			return 0
		}
		if _, ok := protocol.ParseInt(word); !ok {
			req.Refusal = errWhen
			return 0
		}
	}
}
