package eventlogs

import (
	"math"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// These functions parse the lines of the verbs, see [protocol.Verb.Read].

const errWhen = "CLIENT_ERROR bad time: a time is in milliseconds since 1970, 0 for now, or negative for that long before now"

// readLogPut reads <log> <flags> <when> <bytes> [noreply].
func readLogPut(rest []byte, req *protocol.Request) int {
	protocol.CutNoreply(&rest, req)
	if protocol.CountWords(rest) != 4 {
		return verbs.RefuseBlock(rest, req, 4)
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
		req.Refusal = verbs.ErrKey
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
		req.Refusal = verbs.Usage(req)
		return 0
	case !protocol.PlainWord(req.Key):
		req.Refusal = verbs.ErrKey
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
