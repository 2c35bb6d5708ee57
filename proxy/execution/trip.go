package execution

import (
	"github.com/memverbs/memverbs/proxy/latency"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs"
)

// trip is the operations that a verb has asked for in one round trip, and the replies that have come.
type trip struct {
	ops     []verbs.Op
	waiting int           // replies that are outstanding
	arrived int           // how many of these the answer that is being taken still has
	inPlace int           // bytes of replies that are valid only during the callback
	copied  int           // bytes of replies that were copied
	order   order         // of what was sent last
	asked   latency.Stamp // when it was sent
}

// order is the place of the last operation of a batch that was sent.
type order struct {
	u      *pool.Member
	begin  upstream.Position // where its request begins in the output of u's first connection
	broken bool              // that is not known, so the rest of the batch is not shared
}

// after returns where a read that u is asked for next may begin at the earliest.
func (o *order) after(u *pool.Member) upstream.Position {
	if o.u == u {
		return o.begin
	}
	return u.First.Written()
}
