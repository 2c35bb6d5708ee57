package protocol

import (
	"bytes"
	"strconv"
)

// A mg of an item that is stale, as md leaves it with I, is a change even without a flag: it wins the
// token by which one client alone is asked to store the item anew. A gets wins nothing, and tells all
// but times and whether somebody has read the item before.

// plainly are the flags of mg that a gets has an answer for, or that ask for nothing.
var plainly = []byte("cfkOqsuvLP")

// Unplain returns the first flag of r, a mg, for which a gets has no answer, 0 if there is none.
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

// AppendPlain appends to dst the answer to r, a mg without Unplain flags, of which value is what a
// gets of its key has found, nil if nothing. key is the key as its client has it.
func (r *Request) AppendPlain(dst []byte, value *Reply, key []byte) []byte {
	if value == nil {
		return append(dst, "EN\r\n"...)
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
			_, flags := NextWord(value.Line) // VALUE <key> <flags> …
			_, flags = NextWord(flags)
			flags, _ = NextWord(flags)
			dst = append(append(dst, " f"...), flags...)
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
