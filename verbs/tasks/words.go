package tasks

import (
	"bytes"
	"fmt"
	"math"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// These functions parse the lines of the verbs, see [protocol.Verb.Read].

const (
	// longestID is the length of the longest id, in bytes.
	longestID = protocol.MaxKey
	// longestHold is how long a task may be held at a time, in seconds.
	longestHold = math.MaxInt32
	// mostTaken is how many tasks a call may take.
	mostTaken = 1000
)

const (
	errID    = "CLIENT_ERROR bad id: an id is 1 to 250 bytes without white space or control characters"
	errWhen  = "CLIENT_ERROR bad time: <when> is in milliseconds since 1970, 0 for now, or +<n> for n milliseconds from now"
	errRange = "CLIENT_ERROR bad time: <first> and <last> are in milliseconds since 1970"
	errStamp = "CLIENT_ERROR bad stamp: the stamp of a task is the last word of its line in the answer of tasktake"
)

var (
	errSeconds = fmt.Sprintf("CLIENT_ERROR "+verbs.BadSeconds+"how long to hold the task, 1 to %d", longestHold)
	errKeep    = errSeconds + ", or negative to give it back"
	errCount   = fmt.Sprintf("CLIENT_ERROR bad count: <count> is how many tasks to take at most, 1 to %d", mostTaken)
)

// readTask reads <queue> <id> <when> <flags> <bytes> [noreply].
func readTask(rest []byte, req *protocol.Request) int {
	protocol.CutNoreply(&rest, req)
	if protocol.CountWords(rest) != 5 {
		return verbs.RefuseBlock(rest, req, 5)
	}
	var id, when, flags, length []byte
	req.Key, rest = protocol.NextWord(rest)
	req.Words, req.NumWords = rest, 2
	id, rest = protocol.NextWord(rest)
	when, rest = protocol.NextWord(rest)
	req.Words = req.Words[:len(req.Words)-len(rest)]
	flags, rest = protocol.NextWord(rest)
	length, _ = protocol.NextWord(rest)
	size, okSize := protocol.ParseLength(length)
	okFlags := verbs.ReadFlags(flags, req)
	switch {
	case !okSize:
		req.Refusal = verbs.ErrLength
	case !protocol.PlainWord(req.Key):
		req.Refusal = verbs.ErrKey
	case !protocol.PlainWord(id):
		req.Refusal = errID
	case !isWhen(when):
		req.Refusal = errWhen
	case !okFlags:
		req.Refusal = verbs.ErrFlags
	}
	return size
}

// readTake reads <queue> <seconds> [<count>].
func readTake(rest []byte, req *protocol.Request) int {
	verbs.ReadKey(rest, req, 1, 2)
	seconds, count := protocol.NextWord(req.Words)
	count, _ = protocol.NextWord(count)
	switch {
	case req.Refusal != "":
	case !isCount(seconds, longestHold):
		req.Refusal = errSeconds
	case len(count) > 0 && !isCount(count, mostTaken):
		req.Refusal = errCount
	}
	return 0
}

// readStamp reads <queue> <stamp> [noreply].
func readStamp(rest []byte, req *protocol.Request) int {
	return readChange(rest, req, 1, func([]byte) bool { return true }, "")
}

// readKeep reads <queue> <stamp> <seconds> [noreply].
func readKeep(rest []byte, req *protocol.Request) int {
	return readChange(rest, req, 2, isHold, errKeep)
}

// readRetry reads <queue> <stamp> <when> [noreply].
func readRetry(rest []byte, req *protocol.Request) int {
	return readChange(rest, req, 2, isWhen, errWhen)
}

// readChange reads a queue, a stamp and, of so many words in all, a number, which it refuses with
// the error bad.
func readChange(rest []byte, req *protocol.Request, words int, good func(word []byte) bool, bad string) int {
	protocol.CutNoreply(&rest, req)
	verbs.ReadKey(rest, req, words, words)
	stamp, number := protocol.NextWord(req.Words)
	number, _ = protocol.NextWord(number)
	if req.Refusal != "" {
		return 0
	}
	if _, _, ok := parseStamp(stamp); !ok {
		req.Refusal = errStamp
	} else if !good(number) {
		req.Refusal = bad
	}
	return 0
}

// readDrop reads <queue> <id> [noreply].
func readDrop(rest []byte, req *protocol.Request) int {
	protocol.CutNoreply(&rest, req)
	verbs.ReadKey(rest, req, 1, 1)
	if id, _ := protocol.NextWord(req.Words); req.Refusal == "" && !protocol.PlainWord(id) {
		req.Refusal = errID
	}
	return 0
}

// readList reads <queue> [<first> [<last>]].
func readList(rest []byte, req *protocol.Request) int {
	verbs.ReadKey(rest, req, 0, 2)
	for word := range protocol.Words(req.Words) {
		if req.Refusal == "" && !isTime(word) {
			req.Refusal = errRange
		}
	}
	return 0
}

// isWhen reports whether word is a time, or one from now.
func isWhen(word []byte) bool {
	text, later := bytes.CutPrefix(word, []byte{'+'})
	n, ok := protocol.ParseUint(text)
	return ok && n <= latest && (!later || n <= latest/2)
}

func isTime(word []byte) bool {
	n, ok := protocol.ParseUint(word)
	return ok && n <= latest
}

// isHold reports whether word says for how many seconds to hold a task on, or to give it back.
func isHold(word []byte) bool {
	n, ok := protocol.ParseInt(word)
	return ok && n != 0 && n <= longestHold
}

func isCount(word []byte, most uint64) bool {
	n, ok := protocol.ParseUint(word)
	return ok && n >= 1 && n <= most
}
