package reply

import (
	"github.com/memverbs/memverbs/proxy/memory"
	"github.com/memverbs/memverbs/proxy/status"
)

// Common is what the queues of all clients of an event loop use together.
type Common struct {
	Counts  *status.Counts  // of errors
	Account *memory.Account // counts the rings
	Timing  *Timing
	Next    Measure // of the reply that is reserved next

	rings memory.Reuse[shortRing] // empty
}

// shortRing is the ring of a queue with one reply.
type shortRing [1]slot

// keptRings is how many short rings are kept at most: about as many as there are clients, since all of them may
// await a reply.
const keptRings = 16 << 10

// takeRing returns a ring for one reply.
func (c *Common) takeRing() []slot {
	c.Account.Take(slotSize)
	return c.rings.Take()[:]
}

// keepRing keeps the ring of a queue that has become empty. The account does not count it meanwhile.
func (c *Common) keepRing(ring []slot) {
	c.Account.Free(slotSize)
	c.rings.KeepUpTo(keptRings, (*shortRing)(ring))
}
