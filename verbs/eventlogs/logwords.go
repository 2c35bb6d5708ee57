package eventlogs

import (
	"cmp"
	"math"

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

// moreWord precedes how many events a fetch that waits has had already.
const moreWord = "more"

// errFirst refuses a wait from no time on.
const errFirst = "CLIENT_ERROR bad time: a wait needs <first>, the time from which on events count, or 0 for now: logfetch <log> <first> [more <n>] wait <ms>"

// errMore refuses what follows that word.
const errMore = "CLIENT_ERROR bad number: <n> is how many events there may be while the answer waits, 0 to 4294967295"

// readLogFetch reads <log> [<first> [<last> | [more <n>] wait <ms>]].
func readLogFetch(rest []byte, req *protocol.Request) int {
	verbs.CutWait(&rest, req)
	verbs.ReadKey(rest, req, 0, 3)
	if req.Refusal != "" {
		return 0
	}
	words := wordsOfFetch(req.Words)
	waits := req.Wait > 0
	switch n, ok := protocol.ParseUint(words.more); {
	case waits && len(words.first) == 0:
		req.Refusal = errFirst
	case words.others, waits && len(words.last) > 0, !waits && words.counts:
		req.Refusal = verbs.Usage(req)
	case words.counts && (!ok || n > math.MaxUint32):
		req.Refusal = errMore
	default:
		req.Refusal = cmp.Or(refusalOfBound(words.first), refusalOfBound(words.last))
	}
	return 0
}

// refusalOfBound returns what is wrong with a time of an interval; it may be empty.
func refusalOfBound(word []byte) string {
	switch n, ok := protocol.ParseInt(word); {
	case len(word) == 0:
		return ""
	case !ok:
		return errWhen
	case n >= leastSeconds && verbs.InSeconds(n):
		return errSpanSeconds
	}
	return ""
}

// fetchWords are the words of a logfetch after the log; those that are not there are nil.
type fetchWords struct {
	first, last []byte
	counts      bool // "more" is there
	more        []byte
	others      bool // there are other words
}

// wordsOfFetch takes words apart.
func wordsOfFetch(words []byte) (w fetchWords) {
	w.first, words = protocol.NextWord(words)
	word, rest := protocol.NextWord(words)
	if string(word) == moreWord {
		w.counts = true
		w.more, rest = protocol.NextWord(rest)
	} else {
		w.last = word
	}
	w.others = protocol.CountWords(rest) > 0
	return w
}

// isRelative reports whether the interval of a fetch begins so long before now, or now.
func isRelative(words []byte) bool {
	n, _ := protocol.ParseInt(wordsOfFetch(words).first)
	return n <= 0
}
