package protocol

import (
	"bytes"
	"strconv"
)

// A mg of a stale item, as md leaves it with the flag I, is a change even without a flag: it wins the
// recache token, so that only its client is asked to store the item anew. A gets wins nothing, and
// returns all that a mg can, except times and whether the item has been read before.

// plainly are the flags of mg that can be answered from the reply to a gets, or that need no
// answer.
var plainly = []byte("cfkOqsuvLP")

// Unplain returns the first flag of r, a mg, that can't be answered from the reply to a gets, 0 if
// there is none.
func (r *Request) Unplain() byte {
	for flag := range r.MetaFlags() {
		if bytes.IndexByte(plainly, flag[0]) < 0 {
			return flag[0]
		}
	}
	return 0
}

// Detached returns the command and the flags of r, which no longer depend on what it was parsed from.
func (r *Request) Detached() Request {
	return Request{Command: r.Command, Quiet: r.Quiet, flags: bytes.Clone(r.flags), seen: r.seen}
}

// AppendPlain appends to dst the answer to r, a mg without Unplain flags. value is what a gets of
// its key has found, nil for a miss. key is the key as the client knows it.
func (r *Request) AppendPlain(dst []byte, value *Reply, key []byte) []byte {
	if value == nil {
		return r.AppendMiss(dst, key)
	}
	withValue := r.HasFlag('v')
	if dst = append(dst, "HD"...); withValue {
		dst = strconv.AppendInt(append(dst[:len(dst)-2], "VA "...), int64(len(value.Data)), 10)
	}
	for flag := range r.MetaFlags() {
		switch flag[0] {
		case 'c':
			dst = append(append(dst, " c"...), value.Tail...)
		case 'f':
			dst = append(append(dst, " f"...), value.Flags()...)
		case 'k':
			dst = append(append(dst, " k"...), key...)
		case 'O':
			dst = append(append(dst, ' '), flag...)
		case 's':
			dst = strconv.AppendInt(append(dst, " s"...), int64(len(value.Data)), 10)
		}
	}
	dst = append(dst, "\r\n"...)
	if withValue {
		dst = append(append(dst, value.Data...), "\r\n"...)
	}
	return dst
}
