package proxy

import (
	"bytes"
	"errors"
)

// A large value goes on to its client as it comes in, if it is the client's
// turn to get it: all but its start is moved from one socket to the other
// without being looked at. What has begun so can't be refused any more; if the
// rest does not come, all that is left is to close the client's connection.

// streamed is how much of a value must still be to come, in bytes, for it not
// to be waited for. Less comes with the next read, and goes out in one piece.
const streamed = 64 << 10

// maxMoved is how much is moved before the loop's other connections have a turn,
// in bytes.
const maxMoved = 4 << 20

var errEnd = errors.New("a value with a bad end")

// stream is a value of a reply that goes through as it comes.
type stream struct {
	rest  int  // bytes of its data that are still to come
	under bool // it has begun, and its line end has not been read
}

// begin has the value whose start has been read, need bytes in all, go through
// from here on. It returns false if it has to be waited for.
func (r *replyReader) begin(p *pending, need int) bool {
	have := len(r.data) - r.length
	rest := need - len(lineEnd) - have
	if have < ownBuffer || rest < streamed || p.keys > 1 || p.quiet || !r.answers(p) {
		return false
	}
	c, ok := p.sink.(*client)
	if !ok || !c.takesBegun(p.slot) {
		return false
	}
	c.take(r.data)
	r.stream = stream{rest, true}
	r.release()
	r.data, r.length = nil, 0
	r.unit.Line, r.unit.Key = nil, nil // as they were in there
	r.values++
	return true
}

// answers reports whether the unit may be part of the reply to p.
func (r *replyReader) answers(p *pending) bool {
	return r.unit.Kind&p.command.Replies() != 0 && (p.key == 0 || hashKey(r.unit.Key) == p.key)
}

// finish reads the line end of the value that went through. It reports whether
// it is there, and whether the reply ends with it.
func (r *replyReader) finish() (there, ends bool, err error) {
	end := r.data[r.length:]
	if len(end) < len(lineEnd) {
		r.keep(len(lineEnd))
		return false, false, nil
	}
	if !bytes.HasPrefix(end, lineEnd) {
		return true, false, errEnd
	}
	r.stream = stream{}
	r.length += len(lineEnd)
	return true, r.unit.Kind.Ends(), nil
}

// pass passes on what data has of the value that goes through, and returns the
// rest of data.
func (u *upstream) pass(data []byte) []byte {
	n := min(u.reader.stream.rest, len(data))
	if c, ok := u.pending.front().sink.(*client); ok { // the time may be up meanwhile
		c.take(data[:n])
	}
	u.reader.stream.rest -= n
	return data[n:]
}

// move moves what the socket has of the value that goes through to the client's,
// as far as that can be written at once.
func (u *upstream) move() {
	c, ok := u.pending.front().sink.(*client)
	for end := u.reader.stream.rest - maxMoved; ok && !c.gone && c.wire.idle() && u.reader.stream.rest > max(end, 0); {
		n := u.loop.flow.move(u.wire, &c.wire, u.reader.stream.rest)
		if n == 0 {
			return
		}
		u.reader.stream.rest -= n
		c.begun += n
	}
}

// takesBegun reports whether the reply to slot n can be given to the client
// before all of it is there.
func (c *client) takesBegun(n uint32) bool {
	return c.gone || n == c.slots.head && c.slots.at(n).series == nil
}

// take takes a piece of the first reply that the client is owed.
func (c *client) take(piece []byte) {
	if !c.gone {
		c.begun += len(piece)
		c.wire.pass(piece)
	}
}

// idle reports whether something could be written at once.
func (w *wire) idle() bool { return w.out.size == 0 && !w.full && !w.ended }

// pass writes what the socket takes of p at once, if nothing is before it, and
// queues a copy of the rest.
func (w *wire) pass(p []byte) {
	if w.idle() {
		n, _ := w.loop.flow.write(w, p) // what goes wrong goes wrong again when the rest is written
		n = max(n, 0)
		*w.written += uint64(n)
		p = p[n:]
	}
	w.out.write(p)
	w.send()
}
