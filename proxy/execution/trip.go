package execution

import (
	"github.com/memverbs/memverbs/proxy/latency"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs"
)

// trip is one round trip of a verb: its operations, and the replies that have come.
type trip struct {
	ops     []verbs.Op
	waiting int           // replies that are outstanding
	arrived int           // how many of these are in the answer that is being taken
	inPlace int           // bytes of replies that are valid only during the callback
	copied  int           // bytes of replies that were copied
	place   place         // of what was sent last
	asked   latency.Stamp // when the operations were sent
}

// place is where the last operation of a batch that was sent is in a connection's output.
type place struct {
	u     *pool.Member
	begin upstream.Position // where its request begins in the output of u's first connection
	lost  bool              // it is not known, so the rest of the batch is not shared
}

// after returns the earliest position at which the next read from u may begin.
func (p *place) after(u *pool.Member) upstream.Position {
	if p.u == u {
		return p.begin
	}
	return u.First.Written()
}
