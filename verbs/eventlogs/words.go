package eventlogs

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// These functions parse the lines of the verbs, see [protocol.Verb.Read].

const errWhen = "CLIENT_ERROR bad time: a time is in milliseconds since 1970, 0 for now, or negative for that long before now"

// errSeconds is the error for a time that was probably meant in seconds, or as a time before now: no log keeps
// an event of that time.
const errSeconds = "CLIENT_ERROR bad time: <when> is in milliseconds since 1970, and this is in 1973 or before; multiply seconds by 1000, or give a negative number for that long before now"

// leastTime is the least time that is accepted as milliseconds. Times in seconds stay below it
// until the year 5138.
const leastTime = 100_000_000_000

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
	okFlags := verbs.ReadFlags(flags, req)
	var okWhen bool
	req.When, okWhen = protocol.ParseInt(when)
	switch {
	case !okSize:
		req.Refusal = verbs.ErrLength
	case !protocol.PlainWord(req.Key):
		req.Refusal = verbs.ErrKey
	case !okFlags:
		req.Refusal = verbs.ErrFlags
	case !okWhen:
		req.Refusal = errWhen
	case 0 < req.When && req.When < leastTime:
		req.Refusal = errSeconds
	}
	return size
}

// readLogFetch reads <log> [<first> [<last>]].
func readLogFetch(rest []byte, req *protocol.Request) int {
	verbs.ReadKey(rest, req, 0, 2)
	if req.Refusal == "" && !verbs.Integers(req.Words) {
		req.Refusal = errWhen
	}
	return 0
}
