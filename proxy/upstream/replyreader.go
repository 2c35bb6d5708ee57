package upstream

import (
	"bytes"
	"errors"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/memory"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/transport"
)

var (
	errUnfit = errors.New("a reply that does not answer the request")
	errStat  = errors.New("more statistics than are taken")
)

// maxStats is the longest answer to stats that is taken from an upstream, in
// bytes. An upstream that goes on is given up: its answer may have no end.
const maxStats = 1 << 20

// replyReader cuts the stream of an upstream into whole replies.
type replyReader struct {
	pool      *memory.Pool
	limit     int // the longest unit of a reply that is taken, in bytes
	longLimit int // the longest where the request is Long

	data   []byte // what has been received and not delivered
	held   []byte // nil, or the buffer of the pool that data is in
	length int    // of the part of the reply that has been looked at
	lacks  int    // bytes that are missing at the end of held, 0 if not known
	skip   int    // bytes of a value too long that are still to come
	unit   protocol.Reply
	check  protocol.Check // of the reply that is being read

	compared int    // bytes of what was asked that the units of the reply have answered
	stream   stream // a value that goes through

	values   int // in this reply
	oversize int // length of the longest value whose unit was too long, in bytes
}

// feed adds received bytes and returns those that it does not take yet: they
// are to be fed when what it has taken has been looked at. Bytes are copied only
// if something is left over by the time the callback ends; see keep.
func (r *replyReader) feed(data []byte) (rest []byte) {
	n := min(r.skip, len(data))
	r.skip -= n
	data = data[n:]
	if r.held == nil {
		r.data = data
		return nil
	}
	n = r.missing(data)
	used := len(r.held) - len(r.data)
	r.held = r.pool.Grow(r.held, n)
	r.held = append(r.held, data[:n]...)
	r.data = r.held[used:]
	return data[n:]
}

// grows returns how large the buffer will be that is needed to feed data, in bytes, or
// 0 if there is one.
func (r *replyReader) grows(data []byte) int {
	if n := r.missing(data); r.held != nil && cap(r.held)-len(r.held) < n {
		return memory.Grown(r.held, n)
	}
	return 0
}

// missing returns how much of data is to be copied behind what is held. Of more
// than is usually read at once that is only what completes a line or a value, as what
// follows can be looked at where it is; less is copied faster than taken in steps.
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

// more reports whether there is something to be looked at.
func (r *replyReader) more() bool { return r.skip == 0 && len(r.data) > r.length }

// next looks for the whole reply to p, whose request begins e, at the start of the
// data.
func (r *replyReader) next(p *Pending, e *Expected) (ready bool, err error) {
	r.check = protocol.Check{Command: p.Command, Asked: e.first(p.expected)[r.compared:]}
	if r.stream.value {
		if there, ends, err := r.finish(p); err != nil || !there || ends {
			return there, err
		}
	}
	limit := r.limitFor(p)
	for {
		n, need, err := protocol.ParseReply(r.data[r.length:], &r.unit)
		if err != nil {
			return false, err
		}
		switch {
		case n == 0 && need > limit:
			if !r.fits(p) {
				return false, errUnfit
			}
			r.giveBegun(p)
			r.pass(need)
			return false, nil
		case n == 0:
			if r.giveBegun(p); !r.begin(p, need) {
				r.keep(need)
			}
			return false, nil
		case !r.fits(p):
			return false, errUnfit
		}
		r.length += n
		if n > limit { // it came all at once
			r.tooLong(n)
		}
		if r.unit.Kind.Ends() {
			return true, nil
		}
		if r.unit.Kind == protocol.ReplyValue {
			r.values++
		} else if r.length > maxStats {
			return false, errStat
		}
	}
}

// limitFor returns the longest unit of a reply to p that is taken, in bytes.
func (r *replyReader) limitFor(p *Pending) int {
	if p.Long {
		return r.longLimit
	}
	return r.limit
}

// tooLong notes the value of a unit that is longer than that, n bytes in all.
func (r *replyReader) tooLong(n int) {
	r.oversize = max(r.oversize, n-len(r.unit.Line)-2*len(lineEnd))
}

// fits reports whether the unit may come next in the reply to p.
func (r *replyReader) fits(p *Pending) bool {
	if !r.check.Fits(&r.unit) {
		return false
	}
	r.compared = int(p.expected) - len(r.check.Asked)
	return true
}

// pass lets a value by that is longer than what is taken, need bytes with its
// line. A retrieval goes on behind it; a meta value is a whole reply, so
// something has to stand in its place.
func (r *replyReader) pass(need int) {
	r.tooLong(need)
	r.skip = need - (len(r.data) - r.length)
	rest := append(r.pool.Get(r.length+4), r.data[:r.length]...)
	if r.unit.Kind == protocol.ReplyMetaValue {
		rest = append(rest, "EN\r\n"...)
	}
	r.release()
	r.held, r.data, r.lacks = rest, rest, 0
}

// release gives back the buffer that the data is in.
func (r *replyReader) release() {
	if r.held != nil {
		r.pool.Put(r.held)
		r.held = nil
	}
}

// keep copies what has been received of a reply into a buffer of the pool,
// with room for need bytes more. A buffer grows with what has really come, so
// that a length alone costs nothing; a large one only when it has come, as there may
// be no memory for it then (see [Connection.Read]).
func (r *replyReader) keep(need int) {
	have := len(r.data)
	r.lacks = max(0, r.length+need-have)
	room := max(have, min(r.length+need, 4*have))
	if r.held == nil {
		r.held = append(r.pool.Get(room), r.data...)
		r.data = r.held
		return
	}
	if len(r.data) < len(r.held) { // delivered replies are in front
		r.held = append(r.held[:0], r.data...)
	}
	if room <= memory.MaxBuffer {
		r.held = r.pool.Grow(r.held, room-len(r.held))
	}
	r.data = r.held
}

// discard lets go of what is held of a reply that nobody takes any more, and of what
// is still to come of it. Its units are read and checked all the same.
func (r *replyReader) discard() {
	rest := append(r.pool.Get(len(r.data)-r.length), r.data[r.length:]...)
	r.release()
	r.held, r.data, r.length, r.stream.begun = rest, rest, 0, true
}

// take sets a to the reply that next has found.
func (r *replyReader) take(a *Answer) {
	*a = Answer{Data: r.data[:r.length], Last: &r.unit}
	if r.held != nil && r.length >= transport.OwnBuffer && r.length == len(r.held) {
		a.Whole = r.held
	}
}

// count enters the reply to p, which take has set.
func (r *replyReader) count(p *Pending, counts *tally.Counts) {
	switch {
	case p.Tally == tally.Uncounted:
	case p.Command.Retrieval():
		counts.Retrieved(p.Tally, int(p.Keys), r.values)
	case r.unit.Kind != protocol.ReplyError:
		counts.Answered(p.Tally, r.unit.Line)
	}
}

// done goes on behind the reply that take has set.
func (r *replyReader) done(a *Answer) {
	r.data = r.data[min(r.length, len(r.data)):]
	if a.Taken {
		r.held, r.data = nil, nil
	}
	if len(r.data) == 0 {
		r.release()
		r.data = nil
	}
	r.length, r.values, r.oversize, r.compared, r.stream = 0, 0, 0, 0, stream{}
}

// leave is called when the bytes that were fed last go away.
func (r *replyReader) leave() {
	if r.held == nil && len(r.data) > 0 {
		r.keep(0)
	}
}

// reset forgets everything.
func (r *replyReader) reset() {
	r.release()
	*r = replyReader{pool: r.pool, limit: r.limit, longLimit: r.longLimit}
}

// lineEnd is how every line ends.
var lineEnd = []byte("\r\n")
