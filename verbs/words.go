package verbs

import "github.com/memverbs/memverbs/protocol"

// These functions help [protocol.Verb.Read] to refuse a line. memcached has no messages for verbs,
// so these are our own: each says what was expected.

// ErrKey refuses a malformed key.
const ErrKey = "CLIENT_ERROR bad key: a key is 1 to 250 bytes without white space or control characters"

// BadSeconds is how the refusal of a time in seconds begins, after CLIENT_ERROR. The time may be the
// exptime of a command that carries the verb.
const BadSeconds = "bad time: <seconds> is "

// NotSeconds is the middle of the refusal of a time that was probably meant in seconds, see [InSeconds]. Before it stands
// "in milliseconds since 1970", and after it what else can be given.
const NotSeconds = ", and this is in 1973 or before; multiply seconds by 1000, or give "

// InSeconds reports whether a time, which must be in milliseconds since 1970, was probably meant in seconds: in
// milliseconds it would be in 1973 or before. Times in seconds are recognized until the year 5138.
func InSeconds(time int64) bool { return 0 < time && time < 100_000_000_000 }

// Usage returns the refusal that shows how to write the verb that req asks for.
func Usage(req *protocol.Request) string {
	return "CLIENT_ERROR usage: " + req.Verb.String()
}

// ReadWords reads <key> <word>+. It refuses words that are not plain, or longer than most bytes, with
// the error bad.
func ReadWords(rest []byte, req *protocol.Request, most int, bad string) int {
	req.Key, rest = protocol.NextWord(rest)
	words, plain := protocol.CountPlainWords(rest, most)
	req.Words, req.NumWords = rest, words
	switch {
	case words == 0:
		req.Refusal = Usage(req)
	case !protocol.PlainWord(req.Key):
		req.Refusal = ErrKey
	case !plain:
		req.Refusal = bad
	}
	return 0
}

// ReadOneKey reads <key>.
func ReadOneKey(rest []byte, req *protocol.Request) int { return ReadKey(rest, req, 0, 0) }

// ReadKey reads <key> and from least to most further words, which it does not check.
func ReadKey(rest []byte, req *protocol.Request, least, most int) int {
	req.Key, rest = protocol.NextWord(rest)
	req.Words, req.NumWords = rest, protocol.CountWords(rest)
	switch {
	case len(req.Key) == 0, req.NumWords < least, req.NumWords > most:
		req.Refusal = Usage(req)
	case !protocol.PlainWord(req.Key):
		req.Refusal = ErrKey
	}
	return 0
}

// Page returns the offset and the count at the beginning of a list of words, and the other words. Either
// is -2, which is never accepted, if it is not an integer.
func Page(words []byte) (offset, count int64, rest []byte) {
	number := func() int64 {
		var word []byte
		word, words = protocol.NextWord(words)
		if n, ok := protocol.ParseInt(word); ok {
			return n
		}
		return -2
	}
	offset = number()
	count = number()
	return offset, count, words
}
