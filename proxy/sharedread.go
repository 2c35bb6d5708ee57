package proxy

import (
	"bytes"

	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs"
)

// sharedRead is a read of an item for verbs of several clients. While it waits to be
// written, others that are about to read the same item the same way need not ask once
// more: what it will bring is read after they began, which is all that they can expect.
//
// A client with something else under way reads by itself, as what it reads must come
// after that; and so does a verb that changes something at the same time.
type sharedRead struct {
	loop    *loop
	kind    verbs.OpKind
	key     []byte
	begin   upstream.Position // of the request, in what the upstream is sent
	members []member
}

// member is an operation of an execution, for which the reply is too.
type member struct {
	of *execution
	n  uint32
}

// sharedReads are those that may still wait to be written on a connection, in the order
// in which they will be.
type sharedReads []*sharedRead

// maxShared is how many reads are looked through for one to share.
const maxShared = 64

// find returns the read that op can share, nil if there is none. It forgets those that
// have been written, as all before sent has.
func (s *sharedReads) find(op *verbs.Op, sent upstream.Position) *sharedRead {
	for len(*s) > 0 && (*s)[0].begin.Before(sent) {
		takeFirst((*[]*sharedRead)(s))
	}
	for _, read := range *s {
		if read.kind == op.Kind && bytes.Equal(read.key, op.Key) {
			return read
		}
	}
	return nil
}

// share has operation n carried out along with others, if it is a read that can be
// shared. It reports whether it was sent.
func (r *execution) share(n uint32) bool {
	op := &r.ops[n]
	if op.Constant || !r.onlyReads() || !r.client.isAlone() {
		return false
	}
	u := r.loop.locate(op.RoutingKey())
	if u.State != upstream.Up || !u.First.Connected() {
		return false
	}
	if read := u.shared.find(op, u.First.Written()); read != nil {
		read.members = append(read.members, member{r, n})
		return true
	}
	if len(u.shared) >= maxShared {
		return false
	}
	read := &sharedRead{loop: r.loop, kind: op.Kind, key: bytes.Clone(op.Key), begin: u.First.Next(), members: []member{{r, n}}}
	if _, sent := r.loop.operate(op, upstream.Pending{Sink: read, Slot: n}); !sent {
		return false
	}
	u.shared = append(u.shared, read)
	return true
}

// onlyReads reports whether r waits for nothing but reads, and not for many.
func (r *execution) onlyReads() bool {
	for i := range r.ops {
		if kind := r.ops[i].Kind; kind != verbs.Fetch && kind != verbs.Probe {
			return false
		}
	}
	return len(r.ops) <= maxShared
}

// isAlone reports whether the client has nothing under way but one verb.
func (c *client) isAlone() bool {
	return len(c.executions) == 1 && c.replies.len() <= 1 && c.lane.First == 0 && c.lane.Second == 0
}

// Answered implements [upstream.Sink].
func (s *sharedRead) Answered(_ *upstream.Pending, a *upstream.Answer) {
	for _, m := range s.members {
		m.of.take(m.n, s.loop.parse(&m.of.ops[m.n], a))
	}
}
