package lists

import (
	"fmt"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// These functions parse the lines of the verbs, see [protocol.Verb.Read].

const (
	errValue = "CLIENT_ERROR bad value: a value is 1 to 250 bytes without white space or control characters"
	errCount = "CLIENT_ERROR bad count: <count> is how many elements, 1 or more"
	errPlace = "CLIENT_ERROR bad place: <start> and <stop> are numbers, 0 for the first element, -1 for the last"
)

var errRemoved = fmt.Sprintf("CLIENT_ERROR bad count: <count> is from 1 to %d for the first elements, from -1 to -%[1]d for the last, or 0 for all", maxRemoved)

// readPush reads <key> <value>+ [noreply].
func readPush(rest []byte, req *protocol.Request) int {
	protocol.CutNoreply(&rest, req)
	return verbs.ReadWords(rest, req, protocol.MaxKey, errValue)
}

// readPut reads <key> <flags> <bytes> [noreply].
func readPut(rest []byte, req *protocol.Request) int {
	var flags []byte
	size, ok := verbs.ReadBlock(rest, req, 0, &flags)
	if ok && !verbs.ReadFlags(flags, req) {
		req.Refusal = verbs.ErrFlags
	}
	return size
}

// readRemoval reads <key> <count> <value> [noreply].
func readRemoval(rest []byte, req *protocol.Request) int {
	readPush(rest, req)
	if req.Refusal != "" {
		return 0
	}
	word, _ := protocol.NextWord(req.Words)
	n, ok := protocol.ParseInt(word)
	switch {
	case req.NumWords != 2:
		req.Refusal = verbs.Usage(req)
	case !ok, n < -maxRemoved, n > maxRemoved:
		req.Refusal = errRemoved
	}
	return 0
}

// readRange reads <key> [<start> <stop>].
func readRange(rest []byte, req *protocol.Request) int {
	if verbs.ReadKey(rest, req, 0, 2); req.NumWords == 1 {
		req.Refusal = verbs.Usage(req)
	}
	checkPlaces(req)
	return 0
}

// readTrim reads <key> <start> <stop> [noreply].
func readTrim(rest []byte, req *protocol.Request) int {
	protocol.CutNoreply(&rest, req)
	verbs.ReadKey(rest, req, 2, 2)
	checkPlaces(req)
	return 0
}

// checkPlaces refuses words that are no places.
func checkPlaces(req *protocol.Request) {
	for word := range protocol.Words(req.Words) {
		if _, ok := protocol.ParseInt(word); req.Refusal == "" && !ok {
			req.Refusal = errPlace
		}
	}
}

// readCount reads <key> [<count>] [wait <ms>].
func readCount(rest []byte, req *protocol.Request) int {
	verbs.CutWait(&rest, req)
	return verbs.ReadCount(rest, req, errCount)
}

// maxRemoved is how many elements lrem may remove from one end. It appends as many tokens.
const maxRemoved = 1000
