package proxy

import (
	"bytes"
	"errors"
)

// A large value is written to its client straight from the buffer that it was
// read to, if it is the client's turn to get it. If only its start is there, that
// goes, and so does every further part of it as it is read. A reply that has begun
// so can't be refused any more; if the rest does not come, all that is left is to
// close the client's connection.

// large is the size, in bytes with its line, from which a value is not copied
// behind other replies, and not waited for.
const large = 64 << 10

// largeReply is the size, in bytes, from which a reply with several values is not
// waited for either. Others are, as what is whole can be refused.
const largeReply = 1 << 20

var errEnd = errors.New("a value with a bad end")

// stream is the part of a reply that a client has been given before all of the
// reply was there.
type stream struct {
	begun bool // some of the reply has been given
	value bool // that includes the start of a value whose line end has not been read,
	rest  int  // and of whose data so many bytes have not been looked at
}

// begin has the value whose start has been read, need bytes in all, go to the
// client from here on. It returns false if it has to be waited for.
func (r *replyReader) begin(p *pending, need int) bool {
	if need < large || p.keys > 1 && !r.stream.begun || p.quiet {
		return false
	}
	c, ok := p.sink.(*client)
	if !ok || !c.takesBegun(p.slot) || !r.fits(p) {
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
func (r *replyReader) finish(p *pending) (there, ends bool, err error) {
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

// give gives the client what has been looked at of a reply that has begun.
func (r *replyReader) give(p *pending) {
	switch sink := p.sink.(type) { // it is nobody if the time is up meanwhile
	case *client:
		sink.take(r.data[:r.length])
	case *gather:
		sink.take(p, r.data[:r.length])
	}
	r.data, r.length = r.data[r.length:], 0
	if len(r.data) == 0 {
		r.release()
		r.data = nil
	}
}

// giveBegun is give if a part of the reply has been given before, or if there are so
// many values that those which are there are not to wait for the others.
func (r *replyReader) giveBegun(p *pending) {
	if r.stream.begun || r.length >= largeReply && r.oversize == 0 && p.takesValues() {
		r.stream.begun = true
		r.give(p)
	}
}

// takesValues reports whether the first values of a reply can be given before the
// others are there.
func (p *pending) takesValues() bool {
	if p.keys < 2 {
		return false
	}
	switch sink := p.sink.(type) {
	case *client:
		return sink.takesBegun(p.slot)
	case *gather, nobody:
		return true
	}
	return false
}

// takesBegun reports whether the reply to slot n can be given to the client
// before all of it is there.
func (c *client) takesBegun(n uint32) bool {
	return c.gone || n == c.replies.head && c.replies.at(n).of == nil
}

// take takes a piece of the first reply that the client is owed.
func (c *client) take(piece []byte) {
	if !c.gone {
		c.begun += len(piece)
		c.conn.Pass(piece)
	}
}
