package front

import (
	"time"

	"github.com/memverbs/memverbs/protocol"
)

// input is what a client has sent and what was not carried out yet.
//
//	arriving ──the client has closed its side──▶ ended ───┐
//	    └──the client leaves───────────────────────────▶ ignored
//
// When a request has to wait, all later input waits too. An incomplete request at the end is dropped when
// the input has ended.
type input struct {
	state      inputState
	quiet      bool             // the last request was a quiet meta command
	behindWait bool             // the waiting request waits because a verb waits until there is something for it
	parser     *protocol.Parser // nil while no request is being received, or the protocol is another
	binary     *packets         // nil if the client speaks the text protocol

	backlog *backlog // nil if nothing waits

	receipt uint64        // the loop's count of reads when something was last received; 0 for never
	idle    time.Duration // how long nothing has been received, or awaited
}

// inputState is a state of an input.
type inputState uint8

const (
	arriving inputState = iota
	ended               // nothing more will be received, but what was received is carried out
	ignored             // nothing is carried out any more
)

// end notes that nothing more will be received.
func (in *input) end() { in.state = max(in.state, ended) }

// ignore notes that nothing is carried out any more.
func (in *input) ignore() { in.state = ignored }

// pending returns how many bytes were not carried out.
func (in *input) pending() int { return len(in.rest()) }

// rest returns the bytes that were not carried out.
func (in *input) rest() []byte {
	if in.backlog == nil || in.backlog.bytes == nil { // see forwardTo
		return nil
	}
	return in.backlog.bytes[in.backlog.offset:]
}

// skip notes that n more bytes were carried out.
func (in *input) skip(n int) {
	if in.backlog != nil {
		in.backlog.offset += n
	}
}

// bytes returns the buffer with what was not carried out, and maybe with what was; nil if there is none.
func (in *input) bytes() []byte {
	if in.backlog == nil {
		return nil
	}
	return in.backlog.bytes
}

// waiting returns the request that was read and can't be carried out yet, nil if there is none.
func (in *input) waiting() *waiting {
	if in.backlog == nil {
		return nil
	}
	return in.backlog.waiting
}

// need returns the length of the request being received, in bytes, or 0 while that is unknown.
func (in *input) need() int {
	if in.binary != nil {
		return in.binary.Parser.Need
	}
	if in.parser == nil {
		return 0
	}
	return in.parser.Need
}

// inBatch reports whether the last request was a quiet one, of a batch whose end has not arrived.
// The client needs the answer to the end of the batch, such as a noop's, to know which of its
// requests have no answer.
func (in *input) inBatch() bool {
	return in.quiet || in.binary != nil && in.binary.Next.Quiet()
}
