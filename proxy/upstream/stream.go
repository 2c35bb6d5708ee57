package upstream

import (
	"bytes"
	"errors"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/transport"
)

// A large value is passed to its sink directly from the read buffer, part by part as it
// arrives. After the first part the reply can't be refused any more.

// Streamer is a sink that can receive a reply in parts, before it is complete.
type Streamer interface {
	Sink
	// Streams reports whether the sink will receive the rest of the reply to p in
	// parts: pieces of values if pieces is set, and only whole values if not.
	Streams(p *Pending, pieces bool) bool
	// Take receives the next part. The last part is passed to Answered.
	Take(p *Pending, part []byte)
	// Straight returns the connection of the client if the rest of a value that has begun can be
	// moved there unchanged, and nil if it has to be passed to Take.
	Straight(p *Pending) *transport.Conn
	// Moved is called when n bytes were moved there.
	Moved(p *Pending, n int)
}

// InMemory is the part of a Streamer to which nothing is moved from socket to socket.
type InMemory struct{}

// Straight implements [Streamer].
func (InMemory) Straight(*Pending) *transport.Conn { return nil }

// Moved implements [Streamer].
func (InMemory) Moved(*Pending, int) {}

// manyValues is the size, in bytes, from which a reply with several values is not
// awaited as a whole either. Smaller ones are, because a reply that has not been passed
// on can still be refused.
const manyValues = 1 << 20

var errEnd = errors.New("a value with a bad end")

// begin starts passing on the incomplete value at the current unit, which has need
// bytes in all. It returns false if the value has to be awaited as a whole.
func (r *replyReader) begin(p *Pending, need int) bool {
	if need < Large || p.Keys > 1 && !r.stream.begun || p.Quiet {
		return false
	}
	if s, ok := p.Sink.(Streamer); !ok || !s.Streams(p, true) || !r.fits(p) {
		return false
	}
	rest := need - len(lineEnd) - (len(r.data) - r.length)
	r.length = len(r.data) + min(rest, 0) // without the line end, which has to be checked
	r.stream = stream{begun: true, value: true, rest: max(rest, 0)}
	r.unit.Line, r.unit.Key = nil, nil // they point into the part that is passed on now
	r.values++
	r.passOn(p)
	return true
}

// finish continues a value that has begun. It reports whether its line end has arrived,
// and whether the reply ends with it.
func (r *replyReader) finish(p *Pending) (there, ends bool, err error) {
	n := min(r.stream.rest, len(r.data)-r.length)
	r.length += n
	r.stream.rest -= n
	end := r.data[r.length:]
	if len(end) < len(lineEnd) {
		r.passOn(p)
		return false, false, nil
	}
	if !bytes.HasPrefix(end, lineEnd) {
		return true, false, errEnd
	}
	r.stream.value = false
	r.length += len(lineEnd)
	return true, r.unit.Kind.Ends(), nil
}

// passOn passes on what has been parsed of the reply.
func (r *replyReader) passOn(p *Pending) {
	p.Sink.(Streamer).Take(p, r.data[:r.length])
	r.data, r.length = r.data[r.length:], 0
	if len(r.data) == 0 {
		r.release()
		r.data = nil
	}
}

// passOnBegun is passOn if a part of the reply has been passed on before, or if the values
// that have arrived are too many to wait for the rest.
func (r *replyReader) passOnBegun(p *Pending) {
	if r.stream.begun || r.length >= manyValues && r.oversize == 0 && p.takesValues() {
		r.stream.begun = true
		r.passOn(p)
	}
}

// takesValues reports whether the first values of a reply can be passed on before the
// others have arrived.
func (p *Pending) takesValues() bool {
	if p.Keys < 2 {
		return false
	}
	s, ok := p.Sink.(Streamer)
	return ok && s.Streams(p, false)
}

// lacking returns how many bytes of a large value are still missing after data, the latest input; 0 if
// data does not end within a large value.
func (r *replyReader) lacking(data []byte) int {
	switch {
	case r.stream.value:
		return r.stream.rest - len(data)
	case r.buffer != nil || len(r.data) > 0 || r.skip > 0:
		return 0
	}
	n, need, err := protocol.ParseReply(data, &r.unit)
	if err != nil || n > 0 {
		return 0
	}
	return need - len(data)
}
