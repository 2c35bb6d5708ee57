package verbs

import (
	"math"

	"github.com/memverbs/memverbs/protocol"
)

// These help [protocol.Verb.Read] with a line that is followed by a data block. If it is refused,
// the block has to be skipped, so its length is read in any case; the parser then adds that it is skipped.

// Refusals of such a line.
const (
	ErrFlags  = "CLIENT_ERROR bad flags: <flags> is a number of 32 bits"
	ErrLength = "CLIENT_ERROR bad length: <bytes> is the length of the data block"
)

// ReadFlags sets the flags of req to the number that word is, and returns false if it is none.
func ReadFlags(word []byte, req *protocol.Request) bool {
	n, ok := protocol.ParseUint(word)
	req.Flags = uint32(n)
	return ok && n <= math.MaxUint32
}

// RefuseBlock refuses a line with a wrong number of words, whose n-th should be the length of a
// data block. It returns that length, so that the block is skipped, or -1 if the line has no such
// word: then the next line is a command.
func RefuseBlock(rest []byte, req *protocol.Request, n int) int {
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
