package upstream

import (
	"bytes"
	"errors"
)

// A large value is handed on straight from the buffer that it was read to. If only its
// start is there, that goes, and so does every further part of it as it is read. A reply
// that has begun so can't be refused any more.

// Streamer is a sink that can take a reply before all of it is there.
type Streamer interface {
	Sink
	// Streams reports whether the reply to p can be taken in parts, from now on to its
	// end: of whole values, or if it is one large value, in pieces of it.
	Streams(p *Pending, pieces bool) bool
	// Take takes the next part. What is left comes with Answered.
	Take(p *Pending, part []byte)
}

// Large is the size, in bytes with its line, from which a value is not copied
// behind other replies, and not waited for.
const Large = 64 << 10

// manyValues is the size, in bytes, from which a reply with several values is not
// waited for either. Others are, as what is whole can be refused.
const manyValues = 1 << 20

var errEnd = errors.New("a value with a bad end")

// stream is the part of a reply that has been handed on before all of it was there.
type stream struct {
	begun bool // some of the reply has been given
	value bool // that includes the start of a value whose line end has not been read,
	rest  int  // and of whose data so many bytes have not been looked at
}

// begin has the value whose start has been read, need bytes in all, handed on from
// here on. It returns false if it has to be waited for.
func (r *replyReader) begin(p *Pending, need int) bool {
	if need < Large || p.Keys > 1 && !r.stream.begun || p.Quiet {
		return false
	}
	if s, ok := p.Sink.(Streamer); !ok || !s.Streams(p, true) || !r.fits(p) {
		return false
	}
	rest := need - len(lineEnd) - (len(r.data) - r.length)
	r.length = len(r.data) + min(rest, 0) // the line end is left, as it has to be checked
	r.stream = stream{begun: true, value: true, rest: max(rest, 0)}
	r.unit.Line, r.unit.Key = nil, nil // as they were in what is given now
	r.values++
	r.give(p)
	return true
}

// finish goes on with a value that has begun. It reports whether its line end is
// there, and whether the reply ends with it.
func (r *replyReader) finish(p *Pending) (there, ends bool, err error) {
	n := min(r.stream.rest, len(r.data)-r.length)
	r.length += n
	r.stream.rest -= n
	end := r.data[r.length:]
	if len(end) < len(lineEnd) {
		r.give(p)
		return false, false, nil
	}
	if !bytes.HasPrefix(end, lineEnd) {
		return true, false, errEnd
	}
	r.stream.value = false
	r.length += len(lineEnd)
	return true, r.unit.Kind.Ends(), nil
}

// give hands on what has been looked at of a reply that has begun.
func (r *replyReader) give(p *Pending) {
	if s, ok := p.Sink.(Streamer); ok { // it is nobody if the time is up meanwhile
		s.Take(p, r.data[:r.length])
	}
	r.data, r.length = r.data[r.length:], 0
	if len(r.data) == 0 {
		r.release()
		r.data = nil
	}
}

// giveBegun is give if a part of the reply has been given before, or if there are so
// many values that those which are there are not to wait for the others.
func (r *replyReader) giveBegun(p *Pending) {
	if r.stream.begun || r.length >= manyValues && r.oversize == 0 && p.takesValues() {
		r.stream.begun = true
		r.give(p)
	}
}

// takesValues reports whether the first values of a reply can be given before the
// others are there.
func (p *Pending) takesValues() bool {
	if p.Keys < 2 {
		return false
	}
	if _, refused := p.Sink.(nobody); refused {
		return true
	}
	s, ok := p.Sink.(Streamer)
	return ok && s.Streams(p, false)
}
