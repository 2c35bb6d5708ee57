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
	errStamp = "CLIENT_ERROR bad stamp: the stamp of a task is the last word of its line in the answer of tasktake"

	whenIs         = "CLIENT_ERROR bad time: <when> is in milliseconds since 1970"
	orWhen         = "0 for now, or +<n> for n milliseconds from now"
	errWhen        = whenIs + ", " + orWhen
	errWhenSeconds = whenIs + verbs.NotSeconds + orWhen

	spanIs         = "CLIENT_ERROR bad time: <first> and <last> are in milliseconds since 1970"
	orSpan         = "0 for now, or - and + for no bound"
	errSpan        = spanIs + ", " + orSpan
	errSpanSeconds = spanIs + verbs.NotSeconds + orSpan
)

var (
	errHold  = fmt.Sprintf("CLIENT_ERROR "+verbs.BadSeconds+"how long to hold the task, 1 to %d", longestHold)
	errKeep  = errHold + ", or negative to give it back"
	errMost  = fmt.Sprintf("CLIENT_ERROR bad number: <n> is how often a task may have been taken before it is left alone, 1 to %d", uint32(mostAttempts))
	errCount = fmt.Sprintf("CLIENT_ERROR bad count: <count> is how many tasks to take at most, 1 to %d", mostTaken)
)

// readTask reads <queue> <id> <when> <flags> <bytes> [noreply].
func readTask(rest []byte, req *protocol.Request) int {
	var flags []byte
	size, ok := verbs.ReadBlock(rest, req, 2, &flags)
	if !ok {
		return size
	}
	if req.Refusal = refusalOfPlan(req.Words); req.Refusal == "" && !verbs.ReadFlags(flags, req) {
		req.Refusal = verbs.ErrFlags
	}
	return size
}

// readTake reads <queue> <seconds> [<count>] [most <n>] [wait <ms>].
func readTake(rest []byte, req *protocol.Request) int {
	verbs.CutWait(&rest, req)
	verbs.ReadKey(rest, req, 1, 4)
	if req.Refusal != "" {
		return 0
	}
	seconds, count, most, ok := wordsOfTake(req.Words)
	switch {
	case !ok:
		req.Refusal = verbs.Usage(req)
	case !isCount(seconds, longestHold):
		req.Refusal = errHold
	case len(count) > 0 && !isCount(count, mostTaken):
		req.Refusal = errCount
	case len(most) > 0 && !isCount(most, mostAttempts):
		req.Refusal = errMost
	}
	return 0
}

// mostOfTake returns the number of attempts from which on tasks are left alone, for [verbs.Verb.Class].
func mostOfTake(words []byte) []byte {
	_, _, most, _ := wordsOfTake(words)
	return most
}

// mostWord precedes the number of attempts from which on tasks are left alone.
const mostWord = "most"

// wordsOfTake returns the words of tasktake after the queue; those that are not there are nil. It returns false if
// there are others.
func wordsOfTake(words []byte) (seconds, count, most []byte, ok bool) {
	seconds, words = protocol.NextWord(words)
	word, rest := protocol.NextWord(words)
	if len(word) > 0 && string(word) != mostWord {
		count = word
		word, rest = protocol.NextWord(rest)
	}
	if string(word) == mostWord {
		most, rest = protocol.NextWord(rest)
		word, _ = protocol.NextWord(rest)
		return seconds, count, most, len(most) > 0 && len(word) == 0
	}
	return seconds, count, nil, len(word) == 0
}

// readStamp returns a function that reads <queue> <stamp> [<number>] [noreply]. refuse returns the refusal of the number, ""
// if it is accepted; it is nil if there is no number.
func readStamp(refuse func(number []byte) string) func(rest []byte, req *protocol.Request) int {
	words := 1
	if refuse != nil {
		words = 2
	}
	return func(rest []byte, req *protocol.Request) int {
		protocol.CutNoreply(&rest, req)
		verbs.ReadKey(rest, req, words, words)
		stamp, number := protocol.NextWord(req.Words)
		number, _ = protocol.NextWord(number)
		switch _, _, ok := parseStamp(stamp); {
		case req.Refusal != "":
		case !ok:
			req.Refusal = errStamp
		case refuse != nil:
			req.Refusal = refuse(number)
		}
		return 0
	}
}

// readDrop reads <queue> <id> [noreply].
func readDrop(rest []byte, req *protocol.Request) int {
	protocol.CutNoreply(&rest, req)
	return readPeek(rest, req)
}

// readMove reads <queue> <id> <when> [noreply].
func readMove(rest []byte, req *protocol.Request) int {
	protocol.CutNoreply(&rest, req)
	if verbs.ReadKey(rest, req, 2, 2); req.Refusal == "" {
		req.Refusal = refusalOfPlan(req.Words)
	}
	return 0
}

// readPeek reads <queue> <id>.
func readPeek(rest []byte, req *protocol.Request) int {
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
		if req.Refusal == "" {
			req.Refusal = refusalOfBound(word)
		}
	}
	return 0
}

// refusalOfPlan returns the refusal of words, "" if they are the id of a task and when it is due.
func refusalOfPlan(words []byte) string {
	id, when := protocol.NextWord(words)
	if !protocol.PlainWord(id) {
		return errID
	}
	when, _ = protocol.NextWord(when)
	return refusalOfWhen(when)
}

// refusalOfWhen returns the refusal of word, "" if it is a time or a number of milliseconds from now.
func refusalOfWhen(word []byte) string {
	text, later := bytes.CutPrefix(word, []byte{'+'})
	if !later {
		return refusalOfTime(word, errWhen, errWhenSeconds)
	}
	if n, ok := protocol.ParseUint(text); !ok || n > latest/2 {
		return errWhen
	}
	return ""
}

// The bounds of tasklist that leave no task out.
const (
	beforeAll = "-"
	afterAll  = "+"
)

// refusalOfBound returns the refusal of word, "" if it is a time or one of these bounds.
func refusalOfBound(word []byte) string {
	if bound := string(word); bound == beforeAll || bound == afterAll {
		return ""
	}
	return refusalOfTime(word, errSpan, errSpanSeconds)
}

// refusalOfTime returns inSeconds if word is a time in seconds, bad if it is no time that a task may have, and
// otherwise "".
func refusalOfTime(word []byte, bad, inSeconds string) string {
	n, ok := protocol.ParseUint(word)
	switch {
	case !ok, n > latest:
		return bad
	case verbs.InSeconds(int64(n)):
		return inSeconds
	}
	return ""
}

// refusalOfKeep returns the refusal of word, "" if it is for how many seconds to hold a task on, or negative.
func refusalOfKeep(word []byte) string {
	if n, ok := protocol.ParseInt(word); !ok || n == 0 || n > longestHold {
		return errKeep
	}
	return ""
}

func isCount(word []byte, most uint64) bool {
	n, ok := protocol.ParseUint(word)
	return ok && n >= 1 && n <= most
}
