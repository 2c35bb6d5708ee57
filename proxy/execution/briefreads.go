package execution

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs"
)

// A brief fetch is sent as a retrieval, and the brief fetches of one batch that go to the same upstream are sent as
// one, since a key of a retrieval costs memcached about half as much as a meta get does. In a read-only pool all
// reads are sent that way, since a mg of a stale item would win its recache token.

const (
	// maxRetrieved is how many fetches are one retrieval at most.
	maxRetrieved = 256
	// maxRetrievalLine is about how long a retrieval is at most, in bytes, so that it fits into
	// the buffer that memcached reads requests into.
	maxRetrievalLine = 8 << 10
)

// sendFrom sends operation n, and with it the following ones that can be part of the same request.
// It returns how many it has sent.
func (r *Execution) sendFrom(n int) int {
	count := r.briefFrom(n)
	if count == 0 {
		r.send(uint32(n))
		return 1
	}
	u := r.ownerOf(&r.trip.ops[n])
	if reply, refused := r.executor.refuses(u, &r.trip.ops[n]); refused {
		for i := range count {
			r.take(uint32(n+i), reply)
		}
		return count
	}
	r.retrieve(u, n, count)
	return count
}

// brief reports whether an operation is sent as a retrieval. In a read-only pool parts of segments need not
// be: only memverbs knows their keys, so none is ever stale.
func (x *core) brief(op *verbs.Op) bool {
	return op.Brief || x.Options.ReadOnly && op.Reads() && !op.Constant
}

// briefFrom returns how many operations, from n on, can be one retrieval: brief ones on items of the same
// structure, within the limits.
func (r *Execution) briefFrom(n int) int {
	length := 0
	for i := n; i < min(len(r.trip.ops), n+maxRetrieved); i++ {
		op := &r.trip.ops[i]
		length += len(op.Key) + 1
		if !r.executor.brief(op) || length > maxRetrievalLine || op.At != r.trip.ops[n].At || !bytes.Equal(op.RoutingKey(), r.trip.ops[n].RoutingKey()) {
			return i - n
		}
	}
	return min(len(r.trip.ops)-n, maxRetrieved)
}

// retrieve sends count fetches from operation n on, as one retrieval. If these are all
// operations, others that ask for the same share it.
func (r *Execution) retrieve(u *pool.Member, n, count int) {
	asked := r.executor.reads.asked[:0]
	for i := range count {
		asked = append(append(asked, ' '), r.trip.ops[n+i].Key...)
	}
	r.executor.reads.asked = asked
	limit := upstream.LimitLong
	if count > 2 {
		limit = upstream.LimitModest
	}
	send := func(s upstream.Sink) bool {
		r.executor.retrieve(u, asked, upstream.Pending{Sink: s, Slot: uint32(n), Keys: uint16(count), Limit: limit})
		return true
	}
	if count == len(r.trip.ops) && r.share(u, n, asked, send) {
		return
	}
	r.trip.place.lost = true
	send(r)
}

// retrieve sends a retrieval of the keys in asked, each of which follows a space.
func (x *core) retrieve(u *pool.Member, asked []byte, p upstream.Pending) {
	p.Command = protocol.Gets
	to := u.Connection(false)
	to.Expected.Extend(append(to.Expected.Text(), asked...))
	out := to.Out()
	line := append(out.Room(len("gets\r\n")+len(asked)), p.Command.String()...)
	out.Extend(append(append(line, asked...), "\r\n"...))
	x.Counts.Pool[status.Operations] += uint64(p.Keys)
	to.Push(&p)
}

// Answered implements [upstream.Sink].
func (r *Execution) Answered(p *upstream.Pending, a *upstream.Answer) { r.receive(p.Slot, p, a) }

// receive takes the answer to the request of operation n and of the operations that were sent with it.
func (r *Execution) receive(n uint32, p *upstream.Pending, a *upstream.Answer) {
	if p.Command == protocol.Gets {
		r.takeRetrieval(int(n), int(p.Keys), a)
		return
	}
	r.take(n, r.executor.parse(&r.trip.ops[n], a))
}

// takeRetrieval takes the replies to count operations, the first of which is n, out of the answer
// to a retrieval.
func (r *Execution) takeRetrieval(n, count int, a *upstream.Answer) {
	values, without := a.Data, verbs.Reply{Status: verbs.Missing, Epoch: a.Epoch}
	switch {
	case a.Failed() && string(a.Data) == upstream.OutOfMemory: // all values together were too long
		values, without = nil, verbs.Reply{Status: verbs.Dropped, Size: a.Size}
	case a.IsError():
		values, without = nil, r.executor.parse(&r.trip.ops[n], a)
	}
	for r.trip.arrived = count; r.trip.arrived > 0; n++ {
		reply := without
		if length := protocol.CutValue(values, r.trip.ops[n].Key); length > 0 {
			reply = verbs.ParseValue(values[:length])
			reply.Epoch, reply.Indirect = a.Epoch, a.Indirect
			values = values[length:]
		}
		if r.trip.ops[n].Kind == verbs.Probe {
			reply = probed(reply)
		}
		r.trip.arrived--
		r.take(uint32(n), reply)
	}
}

// probed converts the reply to a fetch into the reply to a probe.
func probed(reply verbs.Reply) verbs.Reply {
	if reply.Data = nil; reply.IsDropped() {
		return verbs.Reply{Err: string(bytes.TrimSpace([]byte(upstream.OutOfMemory)))}
	}
	return reply
}
