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
	on      *core
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

// unsent are the shared reads that may still wait to be written on a connection, in the
// order in which they will be.
type unsent struct {
	list  []*sharedRead
	epoch uint32 // of the connection
}

// sharedReads are those of each upstream, on its first connection.
type sharedReads map[*pool.Member]*unsent

// maxShared is how many reads are looked through for one to share.
const maxShared = 64

// of returns those of u.
func (s sharedReads) of(u *pool.Member) *unsent {
	list := s[u]
	if list == nil {
		list = &unsent{}
		s[u] = list
	}
	if list.epoch != u.Epoch {
		*list = unsent{epoch: u.Epoch}
	}
	return list
}

// find returns the read that op can share, nil if there is none. It forgets those that
// have been written, as all before sent has.
func (s *unsent) find(op *verbs.Op, sent upstream.Position) *sharedRead {
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

// Answered implements [upstream.Sink].
func (s *sharedRead) Answered(_ *upstream.Pending, a *upstream.Answer) {
	for _, m := range s.members {
		m.of.take(m.n, s.on.parse(&m.of.ops[m.n], a))
	}
}
