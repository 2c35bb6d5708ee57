package execution

import (
	"bytes"

	"github.com/memverbs/memverbs/proxy/pool"
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
	on      *Executor
	kind    verbs.OpKind
	key     []byte
	begin   upstream.Position // of the request, in what the upstream is sent
	members []member
}

// member is an operation of an execution, for which the reply is too.
type member struct {
	of *Execution
	n  uint32
}

// sharedReads are those that may still wait to be written on a connection, in the order
// in which they will be.
type sharedReads struct {
	list  []*sharedRead
	epoch uint32 // of the connection
}

// maxShared is how many reads are looked through for one to share.
const maxShared = 64

// readsOf returns the shared reads that may wait on the first connection to u.
func (x *Executor) readsOf(u *pool.Member) *sharedReads {
	s := x.reads[u]
	if s == nil {
		s = &sharedReads{}
		x.reads[u] = s
	}
	if s.epoch != u.Epoch {
		*s = sharedReads{epoch: u.Epoch}
	}
	return s
}

// find returns the read that op can share, nil if there is none. It forgets those that
// have been written, as all before sent has.
func (s *sharedReads) find(op *verbs.Op, sent upstream.Position) *sharedRead {
	for len(s.list) > 0 && s.list[0].begin.Before(sent) {
		takeFirst(&s.list)
	}
	for _, read := range s.list {
		if read.kind == op.Kind && bytes.Equal(read.key, op.Key) {
			return read
		}
	}
	return nil
}

// share has operation n carried out along with others, if it is a read that can be
// shared. It reports whether it was sent.
func (r *Execution) share(n uint32) bool {
	op := &r.ops[n]
	if op.Constant || !r.onlyReads() || len(r.caller.executions) != 1 || !r.caller.Owner.IsAlone() {
		return false
	}
	u := r.ownerOf(op)
	if u.State != upstream.Up || !u.First.Connected() {
		return false
	}
	reads := r.on.readsOf(u)
	if read := reads.find(op, u.First.Written()); read != nil {
		read.members = append(read.members, member{r, n})
		return true
	}
	if len(reads.list) >= maxShared {
		return false
	}
	read := &sharedRead{on: r.on, kind: op.Kind, key: bytes.Clone(op.Key), begin: u.First.Next(), members: []member{{r, n}}}
	if _, sent := r.on.operate(u, op, upstream.Pending{Sink: read, Slot: n}); !sent {
		return false
	}
	reads.list = append(reads.list, read)
	return true
}

// onlyReads reports whether r waits for nothing but reads, and not for many.
func (r *Execution) onlyReads() bool {
	for i := range r.ops {
		if kind := r.ops[i].Kind; kind != verbs.Fetch && kind != verbs.Probe {
			return false
		}
	}
	return len(r.ops) <= maxShared
}

// Answered implements [upstream.Sink].
func (s *sharedRead) Answered(_ *upstream.Pending, a *upstream.Answer) {
	for _, m := range s.members {
		m.of.take(m.n, s.on.parse(&m.of.ops[m.n], a))
	}
}
