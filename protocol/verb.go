package protocol

import "math"

// parseVerb reads the arguments of a verb. The words of a refusal are ours, as
// memcached knows no verbs: each says what was expected.
func parseVerb(rest []byte, req *Request) {
	switch req.Command {
	case SAdd, SRem:
		cutNoreply(&rest, req)
		parseMembers(rest, req)
	case SIsMember:
		parseMembers(rest, req)
	case SMembers:
		parseKeys(rest, req, 1, math.MaxInt)
	case SInter, SUnion, SDiff:
		parseKeys(rest, req, 2, math.MaxInt)
	case SCard, SCompact:
		parseKeys(rest, req, 1, 1)
	case SPop, SRandMember:
		parseCount(rest, req)
	case LogFetch:
		parseLogFetch(rest, req)
	}
}

// Usages says how each verb is written.
var Usages = [NumCommands]string{
	SAdd:        "sadd <key> <member>+ [noreply]",
	SRem:        "srem <key> <member>+ [noreply]",
	SMembers:    "smembers <key>+",
	SIsMember:   "sismember <key> <member>+",
	SInter:      "sinter <key> <key>+",
	SUnion:      "sunion <key> <key>+",
	SDiff:       "sdiff <key> <key>+",
	SCard:       "scard <key>",
	SPop:        "spop <key> [<count>]",
	SRandMember: "srandmember <key> [<count>]",
	SCompact:    "scompact <key>",
	LogPut:      "logput <log> <flags> <when> <bytes> [noreply]",
	LogFetch:    "logfetch <log> [<first> [<last>]]",
	Help:        "help",
}

var usageRefusals = func() (lines [NumCommands]string) {
	for c, usage := range Usages {
		lines[c] = "CLIENT_ERROR usage: " + usage
	}
	return lines
}()

func usage(c Command) string { return usageRefusals[c] }

const (
	errKey    = "CLIENT_ERROR bad key: a key is 1 to 250 bytes without white space or control characters"
	errMember = "CLIENT_ERROR bad member: a member is 1 to 250 bytes without white space or control characters"
)

// parseMembers reads <key> <member>+.
func parseMembers(rest []byte, req *Request) {
	req.Key, rest = NextWord(rest)
	req.Words, req.NumWords = rest, CountWords(rest)
	switch {
	case req.NumWords == 0:
		req.Refusal = usage(req.Command)
	case !PlainWord(req.Key):
		req.Refusal = errKey
	case !plainWords(rest):
		req.Refusal = errMember
	}
}

// parseKeys reads so many keys.
func parseKeys(rest []byte, req *Request, least, most int) {
	req.Key, _ = NextWord(rest)
	req.Words, req.NumWords = rest, CountWords(rest)
	switch {
	case req.NumWords < least, req.NumWords > most:
		req.Refusal = usage(req.Command)
	case !plainWords(rest):
		req.Refusal = errKey
	}
}

const errCount = "CLIENT_ERROR bad count: <count> is how many members, 1 or more"

// parseCount reads <key> [<count>].
func parseCount(rest []byte, req *Request) {
	req.Key, rest = NextWord(rest)
	req.Words, req.NumWords = rest, CountWords(rest)
	word, _ := NextWord(rest)
	n, ok := ParseUint(word)
	switch {
	case len(req.Key) == 0, req.NumWords > 1:
		req.Refusal = usage(req.Command)
	case !PlainWord(req.Key):
		req.Refusal = errKey
	case req.NumWords == 1 && (!ok || n == 0):
		req.Refusal = errCount
	}
}

func plainWords(list []byte) bool {
	for {
		word, rest := NextWord(list)
		if len(word) == 0 {
			return true
		}
		if !PlainWord(word) {
			return false
		}
		list = rest
	}
}

// parseLogPut reads <log> <flags> <when> <bytes> [noreply] and returns the
// length of the data block, or -1 if it can't be told.
func parseLogPut(rest []byte, req *Request) int {
	cutNoreply(&rest, req)
	if CountWords(rest) != 4 {
		req.Refusal = usage(LogPut)
		return -1
	}
	var flags, when, length []byte
	req.Key, rest = NextWord(rest)
	flags, rest = NextWord(rest)
	when, rest = NextWord(rest)
	length, _ = NextWord(rest)
	size, okSize := parseLength(length)
	n, okFlags := ParseUint(flags)
	var okWhen bool
	req.When, okWhen = ParseInt(when)
	req.Flags = uint32(n)
	switch {
	case !okSize:
		req.Refusal = "CLIENT_ERROR bad length: <bytes> is the length of the data block"
	case !PlainWord(req.Key):
		req.Refusal = errKey
	case !okFlags || n > math.MaxUint32:
		req.Refusal = "CLIENT_ERROR bad flags: <flags> is a number of 32 bits"
	case !okWhen:
		req.Refusal = errWhen
	}
	return size
}

const errWhen = "CLIENT_ERROR bad time: a time is in milliseconds since 1970, 0 for now, or negative for that long before now"

// parseLogFetch reads <log> [<first> [<last>]].
func parseLogFetch(rest []byte, req *Request) {
	req.Key, rest = NextWord(rest)
	req.Words, req.NumWords = rest, CountWords(rest)
	switch {
	case len(req.Key) == 0, req.NumWords > 2:
		req.Refusal = usage(LogFetch)
		return
	case !PlainWord(req.Key):
		req.Refusal = errKey
		return
	}
	for list := rest; ; {
		var word []byte
		if word, list = NextWord(list); len(word) == 0 {
			return
		}
		if _, ok := ParseInt(word); !ok {
			req.Refusal = errWhen
			return
		}
	}
}
