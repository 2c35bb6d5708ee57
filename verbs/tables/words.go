package tables

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// These functions parse the lines of the verbs, see [protocol.Verb.Read].

const (
	errField   = "CLIENT_ERROR bad field: a field is 1 to 200 bytes without white space or control characters"
	errExptime = "CLIENT_ERROR bad exptime: <exptime> is a number of seconds, as in set"
	errDelta   = "CLIENT_ERROR invalid numeric delta argument" // memcached's own
)

// readRow reads <key> <field> <flags> <exptime> <bytes> [noreply].
func readRow(rest []byte, req *protocol.Request) int {
	protocol.CutNoreply(&rest, req)
	if protocol.CountWords(rest) != 5 {
		return verbs.RefuseBlock(rest, req, 5)
	}
	var flags, exptime, length []byte
	req.Key, rest = protocol.NextWord(rest)
	req.Words, rest = protocol.NextWord(rest)
	req.NumWords = 1
	flags, rest = protocol.NextWord(rest)
	exptime, rest = protocol.NextWord(rest)
	length, _ = protocol.NextWord(rest)
	size, okSize := protocol.ParseLength(length)
	okFlags := verbs.ReadFlags(flags, req)
	var okExptime bool
	req.Exptime, okExptime = protocol.ParseInt(exptime)
	switch {
	case !okSize:
		req.Refusal = verbs.ErrLength
	case !protocol.PlainWord(req.Key):
		req.Refusal = verbs.ErrKey
	case !isField(req.Words):
		req.Refusal = errField
	case !okFlags:
		req.Refusal = verbs.ErrFlags
	case !okExptime || req.Exptime != int64(int32(req.Exptime)):
		req.Refusal = errExptime
	}
	return size
}

// readFields reads <key> <field>+.
func readFields(rest []byte, req *protocol.Request) int {
	return verbs.ReadWords(rest, req, maxField, errField)
}

// readRemoval reads <key> <field>+ [noreply].
func readRemoval(rest []byte, req *protocol.Request) int {
	protocol.CutNoreply(&rest, req)
	return readFields(rest, req)
}

// readCount reads <key> <field> <n> [noreply].
func readCount(rest []byte, req *protocol.Request) int {
	protocol.CutNoreply(&rest, req)
	verbs.ReadKey(rest, req, 2, 2)
	field, delta := protocol.NextWord(req.Words)
	delta, _ = protocol.NextWord(delta)
	_, ok := protocol.ParseUint(delta)
	switch {
	case req.Refusal != "":
	case !isField(field):
		req.Refusal = errField
	case !ok:
		req.Refusal = errDelta
	}
	return 0
}

func isField(word []byte) bool { return len(word) <= maxField && protocol.PlainWord(word) }
