package upstream

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/memory"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/transport"
)

// replyReader splits the stream of an upstream into replies.
type replyReader struct {
	pool      *memory.Pool
	limit     int // longest unit of a reply that is accepted, in bytes
	longLimit int // the same if the request is Long

	data   []byte // received and not delivered yet
	buffer []byte // of the pool, which contains data; nil if data is in the read buffer
	length int    // of the units of the reply that have been parsed
	lacks  int    // bytes of the current unit missing in buffer, 0 if unknown
	skip   int    // bytes of a value that is too long, still to be received and dropped
	unit   protocol.Reply
	check  protocol.Check // for the reply that is being read

	compared int    // bytes of Asked that the units so far have answered
	stream   stream // a reply that is passed on in parts

	values   int // number of values in this reply
	oversize int // length of the longest value that was too long, in bytes; 0 if none was
}

// feed adds received bytes and returns the bytes that it does not accept yet: feed them
// after the accepted ones have been parsed. Bytes are copied only if an incomplete
// reply remains at the end of the callback; see keep.
func (r *replyReader) feed(data []byte) (rest []byte) {
	n := min(r.skip, len(data))
	r.skip -= n
	data = data[n:]
	if r.buffer == nil {
		r.data = data
		return nil
	}
	n = r.missing(data)
	used := len(r.buffer) - len(r.data)
	r.buffer = r.pool.Grow(r.buffer, n)
	r.buffer = append(r.buffer, data[:n]...)
	r.data = r.buffer[used:]
	return data[n:]
}

// grows returns the size of the buffer that feeding data will allocate, in bytes, or 0
// if the present one suffices.
func (r *replyReader) grows(data []byte) int {
	if n := r.missing(data); r.buffer != nil && cap(r.buffer)-len(r.buffer) < n {
		return memory.Grown(r.buffer, n)
	}
	return 0
}

// missing returns how many bytes of data to append to the buffer. For a large read that is only the rest
// of the current line or value, since what follows can be parsed in place. A small read is appended
// as a whole, which is faster than two steps.
func (r *replyReader) missing(data []byte) int {
	if len(data) <= transport.ReadSize {
		return len(data)
	}
	if r.lacks == 0 {
		if end := bytes.IndexByte(data, '\n'); end >= 0 {
			return end + 1
		}
		return len(data)
	}
	return min(r.lacks, len(data))
}

// more reports whether there are bytes to parse.
func (r *replyReader) more() bool { return r.skip == 0 && len(r.data) > r.length }

// limitFor returns the length of the longest unit that is accepted in a reply to p, in
// bytes.
func (r *replyReader) limitFor(p *Pending) int {
	if p.Limit == LimitItem {
		return r.limit
	}
	return r.longLimit
}

// tooLong records a value that is too long, in a unit of n bytes.
func (r *replyReader) tooLong(n int) {
	r.oversize = max(r.oversize, n-len(r.unit.Line)-2*len(lineEnd))
}

// fits reports whether the unit may be the next in the reply to p.
func (r *replyReader) fits(p *Pending) bool {
	if !r.check.Fits(&r.unit) {
		return false
	}
	r.compared = int(p.expected) - len(r.check.Asked)
	return true
}

// skipValue skips a value that is too long, of need bytes with its line. A retrieval continues after it.
// A meta value is the whole reply, so a miss replaces it.
func (r *replyReader) skipValue(need int) {
	r.tooLong(need)
	r.skip = need - (len(r.data) - r.length)
	rest := append(r.pool.Get(r.length+4), r.data[:r.length]...)
	if r.unit.Kind == protocol.ReplyMetaValue {
		rest = append(rest, "EN\r\n"...)
	}
	r.release()
	r.buffer, r.data, r.lacks = rest, rest, 0
}

// release returns the buffer to the pool.
func (r *replyReader) release() {
	if r.buffer != nil {
		r.pool.Put(r.buffer)
		r.buffer = nil
	}
}

// keep copies an incomplete reply into a buffer of the pool, with capacity for need more bytes. The
// capacity is at most four times what has been received, so that an announced length alone
// allocates nothing. A large buffer does not grow here but in feed, for which [Connection.Read]
// checks the memory.
func (r *replyReader) keep(need int) {
	have := len(r.data)
	r.lacks = max(0, r.length+need-have)
	room := max(have, min(r.length+need, 4*have))
	if r.buffer == nil {
		r.buffer = append(r.pool.Get(room), r.data...)
		r.data = r.buffer
		return
	}
	if len(r.data) < len(r.buffer) { // it begins with replies already delivered
		r.buffer = append(r.buffer[:0], r.data...)
	}
	if room <= memory.MaxBuffer {
		r.buffer = r.pool.Grow(r.buffer, room-len(r.buffer))
	}
	r.data = r.buffer
}

// discard drops the data of a reply that no sink wants any more, also what is still to
// be received. Its units are still parsed and checked.
func (r *replyReader) discard() {
	rest := append(r.pool.Get(len(r.data)-r.length), r.data[r.length:]...)
	r.release()
	r.buffer, r.data, r.length, r.stream.begun = rest, rest, 0, true
}

// take sets a to the complete reply that next has found.
func (r *replyReader) take(a *Answer) {
	*a = Answer{Data: r.data[:r.length], Last: &r.unit}
	if r.buffer != nil && r.length >= transport.OwnBuffer && r.length == len(r.buffer) {
		a.Buffer = Offered
	}
}

// count counts the reply to p that take has set.
func (r *replyReader) count(p *Pending, counts *tally.Counts) {
	switch {
	case p.Tally == tally.Uncounted:
	case p.Command.Retrieval():
		counts.Retrieved(p.Tally, int(p.Keys), r.values)
	case r.unit.Kind != protocol.ReplyError:
		counts.Answered(p.Tally, r.unit.Line)
	}
}

// done moves past the reply that take has set.
func (r *replyReader) done(a *Answer) {
	r.data = r.data[min(r.length, len(r.data)):]
	if a.Buffer == Taken {
		r.buffer, r.data = nil, nil
	}
	if len(r.data) == 0 {
		r.release()
		r.data = nil
	}
	r.length, r.values, r.oversize, r.compared, r.stream = 0, 0, 0, 0, stream{}
}

// leave is called before the read buffer is reused.
func (r *replyReader) leave() {
	if r.buffer == nil && len(r.data) > 0 {
		r.keep(0)
	}
}

// reset drops everything.
func (r *replyReader) reset() {
	r.release()
	*r = replyReader{pool: r.pool, limit: r.limit, longLimit: r.longLimit}
}

// lineEnd is how every line ends.
var lineEnd = []byte("\r\n")

// partial reports whether a part of a reply has been received, and not all of it.
func (r *replyReader) partial() bool { return r.stream.begun || r.skip > 0 || len(r.data) > 0 }

// clogs reports whether the rest of a large reply is awaited, behind which others wait.
func (r *replyReader) clogs() bool {
	return r.stream.begun || r.skip >= Large || r.buffer != nil && max(r.lacks, len(r.data)) >= Large
}

// stream is the state of a reply that is passed on in parts.
type stream struct {
	begun bool // a part has been passed on
	value bool // a value has begun, whose line end has not been parsed
	rest  int  // bytes of its data still to be received
}

// Large is the size, in bytes with its line, from which a value is neither copied into
// a buffer with other replies nor awaited as a whole.
const Large = 64 << 10
