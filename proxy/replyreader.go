package proxy

import (
	"errors"

	"github.com/memverbs/memverbs/protocol"
)

var (
	errKind = errors.New("a reply that does not answer the request")
	errKey  = errors.New("a value under another key than the one asked for")
)

// replyReader cuts the stream of an upstream into whole replies.
type replyReader struct {
	pool  *pool
	limit int // the longest unit of a reply taken, in bytes

	data   []byte // what has been received and not delivered
	held   []byte // nil, or the buffer of the pool that data is in
	length int    // of the part of the reply that has been looked at
	skip   int    // bytes of a value too long that are still to come
	unit   protocol.Reply

	stream stream // a value that goes through

	values   int // in this reply
	oversize int // length of the longest unit that was too long
}

// feed adds received bytes. They are copied only if something is left over by
// the time the callback ends; see keep.
func (r *replyReader) feed(data []byte) {
	n := min(r.skip, len(data))
	r.skip -= n
	data = data[n:]
	if r.held == nil {
		r.data = data
		return
	}
	used := len(r.held) - len(r.data)
	r.held = r.pool.grow(r.held, len(data))
	r.held = append(r.held, data...)
	r.data = r.held[used:]
}

// more reports whether there is something to be looked at.
func (r *replyReader) more() bool { return r.skip == 0 && len(r.data) > r.length }

// next looks for the whole reply to p at the start of the data.
func (r *replyReader) next(p *pending) (ready bool, err error) {
	expected := p.command.Replies()
	if r.stream.under {
		if there, ends, err := r.finish(); err != nil || !there || ends {
			return there, err
		}
	}
	for {
		n, need, err := protocol.ParseReply(r.data[r.length:], &r.unit)
		if err != nil {
			return false, err
		}
		if n == 0 {
			if need > r.limit {
				r.pass(need)
			} else if !r.begin(p, need) {
				r.keep(need)
			}
			return false, nil
		}
		if r.absent(p) {
			return true, nil
		}
		r.length += n
		if n > r.limit { // it came all at once
			r.oversize = max(r.oversize, n)
		}
		if r.unit.Kind&expected == 0 {
			return false, errKind
		}
		if r.unit.Kind.Ends() {
			return true, nil
		}
		if r.unit.Kind != protocol.ReplyValue {
			continue
		}
		if r.values++; p.key != 0 && hashKey(r.unit.Key) != p.key {
			return false, errKey
		}
	}
}

// pass lets a value by that is longer than what is taken, need bytes with its
// line. A retrieval goes on behind it; a meta value is a whole reply, so
// something has to stand in its place.
func (r *replyReader) pass(need int) {
	r.oversize = max(r.oversize, need)
	r.skip = need - (len(r.data) - r.length)
	rest := append(r.pool.get(r.length+4), r.data[:r.length]...)
	if r.unit.Kind == protocol.ReplyMetaValue {
		rest = append(rest, "EN\r\n"...)
	}
	r.release()
	r.held, r.data = rest, rest
}

// release gives back the buffer that the data is in.
func (r *replyReader) release() {
	if r.held != nil {
		r.pool.put(r.held)
		r.held = nil
	}
}

// keep copies what has been received of a reply into a buffer of the pool,
// with room for need bytes more. A buffer grows with what has really come, so
// that a length alone costs nothing.
func (r *replyReader) keep(need int) {
	have := len(r.data)
	room := max(have, min(r.length+need, 4*have))
	if r.held == nil {
		r.held = append(r.pool.get(room), r.data...)
		r.data = r.held
		return
	}
	if len(r.data) < len(r.held) { // delivered replies are in front
		r.held = append(r.held[:0], r.data...)
	}
	r.held = r.pool.grow(r.held, room-len(r.held))
	r.data = r.held
}

// take returns the reply that next has found.
func (r *replyReader) take() answer {
	a := answer{data: r.data[:r.length], last: &r.unit}
	if r.held != nil && r.length >= ownBuffer && r.length == len(r.held) {
		a.whole = r.held
	}
	return a
}

// done goes on behind the reply that take returned.
func (r *replyReader) done(a *answer) {
	r.data = r.data[min(r.length, len(r.data)):]
	if a.taken {
		r.held, r.data = nil, nil
	}
	if len(r.data) == 0 {
		r.release()
		r.data = nil
	}
	r.length, r.values, r.oversize = 0, 0, 0
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
	*r = replyReader{pool: r.pool, limit: r.limit}
}
