package verbs

import (
	"bytes"
	"math"

	"github.com/memverbs/memverbs/protocol"
)

// These functions help [protocol.Verb.Read] with a line that is followed by a data block. If the line is
// refused, the parser has to skip the block, so the length is read in any case.

// Refusals of such a line.
const (
	ErrFlags  = "CLIENT_ERROR bad flags: <flags> is a number of 32 bits"
	ErrLength = "CLIENT_ERROR bad length: <bytes> is the length of the data block"
)

// ReadFlags parses word as flags and sets those of req. It returns false if word is not a number.
func ReadFlags(word []byte, req *protocol.Request) bool {
	n, ok := protocol.ParseUint(word)
	req.Flags = uint32(n)
	return ok && n <= math.MaxUint32
}

// ReadBlock reads <key>, so many words, which become the Words of req, further ones, <bytes>, the length of a data
// block, which it returns, and the option noreply. It returns false if it has refused the line.
func ReadBlock(rest []byte, req *protocol.Request, words int, further ...*[]byte) (size int, ok bool) {
	protocol.CutNoreply(&rest, req)
	if n := 1 + words + len(further) + 1; protocol.CountWords(rest) != n {
		return refuseBlock(rest, req, n), false
	}
	req.Key, rest = protocol.NextWord(rest)
	req.Words, req.NumWords = rest, words
	for range words {
		_, rest = protocol.NextWord(rest)
	}
	req.Words = bytes.Trim(req.Words[:len(req.Words)-len(rest)], " ")
	for _, word := range further {
		*word, rest = protocol.NextWord(rest)
	}
	length, _ := protocol.NextWord(rest)
	size, ok = protocol.ParseLength(length)
	switch {
	case !ok:
		req.Refusal = ErrLength
	case !protocol.PlainWord(req.Key):
		req.Refusal, ok = ErrKey, false
	}
	return size, ok
}

// refuseBlock refuses a line with a wrong number of words, whose n-th word should be the length of
// a data block. It returns that length, so that the block is skipped, or -1 if there is no such
// word: then the next line is parsed as a command.
func refuseBlock(rest []byte, req *protocol.Request, n int) int {
	var word []byte
	for range n {
		word, rest = protocol.NextWord(rest)
	}
	size, _ := protocol.ParseLength(word)
	if req.Refusal = "CLIENT_ERROR expected " + req.Verb.Name + " " + req.Verb.Usage; size < 0 {
		req.Refusal = Usage(req)
	}
	return size
}
