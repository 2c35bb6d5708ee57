package eventlogs

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// These functions parse the lines of the verbs, see [protocol.Verb.Read].

const errWhen = "CLIENT_ERROR bad time: a time is in milliseconds since 1970, 0 for now, or negative for that long before now"

// The errors for a time that was probably meant in seconds, or as a time before now: no log keeps an event of that time.
const (
	errWhenSeconds = "CLIENT_ERROR bad time: <when> is in milliseconds since 1970" + orBefore
	errSpanSeconds = "CLIENT_ERROR bad time: <first> and <last> are in milliseconds since 1970" + orBefore

	orBefore = verbs.NotSeconds + "a negative number for that long before now"
)

// leastSeconds is the least <first> or <last> that is refused as a time in seconds, one of 2001. A lesser number
// may be meant as a time before all events, as 1 is in the documents.
const leastSeconds = 1_000_000_000

// readLogPut reads <log> <flags> <when> <bytes> [noreply].
func readLogPut(rest []byte, req *protocol.Request) int {
	var flags, when []byte
	size, ok := verbs.ReadBlock(rest, req, 0, &flags, &when)
	if !ok {
		return size
	}
	var okWhen bool
	req.When, okWhen = protocol.ParseInt(when)
	switch {
	case !verbs.ReadFlags(flags, req):
		req.Refusal = verbs.ErrFlags
	case !okWhen:
		req.Refusal = errWhen
	case verbs.InSeconds(req.When):
		req.Refusal = errWhenSeconds
	}
	return size
}

// readLogFetch reads <log> [<first> [<last>]].
func readLogFetch(rest []byte, req *protocol.Request) int {
	verbs.ReadKey(rest, req, 0, 2)
	for word := range protocol.Words(req.Words) {
		n, ok := protocol.ParseInt(word)
		switch {
		case req.Refusal != "":
		case !ok:
			req.Refusal = errWhen
		case n >= leastSeconds && verbs.InSeconds(n):
			req.Refusal = errSpanSeconds
		}
	}
	return 0
}
