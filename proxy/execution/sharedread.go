package execution

import (
	"bytes"

	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// sharedRead is one request that reads an item, or several, for verbs of several clients. While it
// waits to be written, other verbs that need the same read join it. A verb only needs values read
// after it has begun, and this read is.
//
// The reads of a batch keep their order, so one of them is shared only if it is written after
// those before it.
//
// The read of a client must come after its other requests in flight. So a client shares a read only
// if it has no others, or if all of them are verbs that wait for the same read, so that pipelined
// verbs on one structure need a single read. A verb that changes something in the same round trip
// shares no read.
type sharedRead struct {
	asked   []byte            // what is read, as verbs compare it
	begin   upstream.Position // where the request begins in the connection's output
	readers []operation
	first   [1]operation // the array of readers while there is one
}

// unsent are the shared reads that may still wait to be written on a connection, in the
// order of writing.
type unsent struct {
	list  []*sharedRead
	epoch uint32 // of the connection
}

// sharedReads are the unsent reads of each upstream, on its first connection.
type sharedReads struct {
	unsent map[*pool.Member]*unsent
	asked  []byte // scratch: what a request reads
}

// maxShared is how many unsent reads of an upstream may be shared, so that searching
// them is fast.
const maxShared = 64

// of returns the unsent reads of u.
func (s *sharedReads) of(u *pool.Member) *unsent {
	list := s.unsent[u]
	if list == nil {
		list = &unsent{}
		s.unsent[u] = list
	}
	if list.epoch != u.Epoch {
		*list = unsent{epoch: u.Epoch}
	}
	return list
}

// find returns a read of what is asked for that begins at after or later; nil if there is none.
// It drops the reads that have been written: all that begin before sent.
func (s *unsent) find(asked []byte, sent, after upstream.Position) *sharedRead {
	for len(s.list) > 0 && s.list[0].begin.Before(sent) {
		takeFirst(&s.list)
	}
	for _, read := range s.list {
		if bytes.Equal(read.asked, asked) && !read.begin.Before(after) {
			return read
		}
	}
	return nil
}

// share lets the operations of r from n on share a read of asked: one that is unsent, or a new one,
// which it passes to send as the sink. It returns false if they can't be shared; then it has sent
// nothing.
func (r *Execution) share(u *pool.Member, n int, asked []byte, send func(upstream.Sink) bool) bool {
	c := r.caller
	if r.trip.place.lost || !c.onlyReads() || u.State != upstream.Up || !u.First.Connected() {
		return false
	}
	reads, this := r.executor.reads.of(u), operation{r, uint32(n)}
	if read := reads.find(asked, u.First.Written(), r.trip.place.after(u)); read != nil && c.mayJoin(read) {
		read.readers = append(read.readers, this)
		r.trip.place = place{u: u, begin: read.begin}
		c.joined(read, r)
		return true
	}
	r.trip.place.lost = true
	if len(reads.list) >= maxShared || len(c.executions) > 1 {
		return false
	}
	read := &sharedRead{asked: bytes.Clone(asked), begin: u.First.Next(), first: [1]operation{this}}
	read.readers = read.first[:]
	if !send(read) {
		return false
	}
	reads.list = append(reads.list, read)
	r.trip.place = place{u: u, begin: read.begin}
	c.joined(read, r)
	return true
}

// onlyReads reports whether all that the caller has in flight is a verb that begins now, and
// others that wait for a shared read.
func (c *Caller) onlyReads() bool {
	running := len(c.executions)
	return (running == 1 || running == c.readers+1) && c.Owner.HasOnly(running)
}

// mayJoin reports whether a verb may share a read that has begun before it.
func (c *Caller) mayJoin(read *sharedRead) bool { return len(c.executions) == 1 || c.reading == read }

// joined notes that r, of the caller, shares a read.
func (c *Caller) joined(read *sharedRead, r *Execution) {
	if c.reading != read {
		c.reading, c.readers = read, 0
	}
	if len(r.trip.ops) == 1 {
		c.readers++
	}
}

// arrived notes that the reply to a read has arrived.
func (c *Caller) arrived(read *sharedRead) {
	if c.reading == read {
		c.reading, c.readers = nil, 0
	}
}

// Answered implements [upstream.Sink].
func (s *sharedRead) Answered(p *upstream.Pending, a *upstream.Answer) {
	for _, m := range s.readers {
		m.run.caller.arrived(s)
	}
	for _, m := range s.readers {
		m.run.receive(m.n, p, a)
	}
}
