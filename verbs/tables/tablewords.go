package tables

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// These functions parse the lines of the verbs, see [protocol.Verb.Read].

const (
	errField   = "CLIENT_ERROR bad field: a field is 1 to 200 bytes without white space or control characters"
	errPage    = "CLIENT_ERROR bad page: <offset> is how many rows to skip, 0 or more, and <count> how many to answer with, -1 for all"
	errExptime = "CLIENT_ERROR bad exptime: <exptime> is a number of seconds, as in set"
	errInitial = "CLIENT_ERROR bad number: <initial> is from 0 to 18446744073709551615"
	errDelta   = "CLIENT_ERROR invalid numeric delta argument: <n> is from 0 to 18446744073709551615; hdecr subtracts" // begins as memcached's own
)

// readRow reads <key> <field> <flags> <exptime> <bytes> [noreply].
func readRow(rest []byte, req *protocol.Request) int {
	var flags, exptime []byte
	size, ok := verbs.ReadBlock(rest, req, 1, &flags, &exptime)
	if !ok {
		return size
	}
	var okExptime bool
	req.Exptime, okExptime = protocol.ParseInt(exptime)
	switch {
	case !isField(req.Words):
		req.Refusal = errField
	case !verbs.ReadFlags(flags, req):
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

// readCount reads <key> <field> <n> [<initial>] [noreply].
func readCount(rest []byte, req *protocol.Request) int {
	protocol.CutNoreply(&rest, req)
	verbs.ReadKey(rest, req, 2, 3)
	field, words := protocol.NextWord(req.Words)
	delta, words := protocol.NextWord(words)
	initial, _ := protocol.NextWord(words)
	_, ok := protocol.ParseUint(delta)
	_, okInitial := protocol.ParseUint(initial)
	switch {
	case req.Refusal != "":
	case !isField(field):
		req.Refusal = errField
	case !ok:
		req.Refusal = errDelta
	case len(initial) > 0 && !okInitial:
		req.Refusal = errInitial
	}
	return 0
}

// readListing reads <key> [<offset> <count>].
func readListing(rest []byte, req *protocol.Request) int {
	if verbs.ReadKey(rest, req, 0, 2); req.Refusal != "" || req.NumWords == 0 {
		return 0
	}
	switch offset, count, _ := verbs.Page(req.Words); {
	case req.NumWords == 1:
		req.Refusal = verbs.Usage(req)
	case offset < 0, count < -1:
		req.Refusal = errPage
	}
	return 0
}

func isField(word []byte) bool { return len(word) <= maxField && protocol.PlainWord(word) }
