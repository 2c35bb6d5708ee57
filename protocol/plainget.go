package protocol

import (
	"bytes"
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
