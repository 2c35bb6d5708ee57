package execution

import (
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/catalog"
	"github.com/memverbs/memverbs/verbs/structure/views"
)

// Counts are the counts of an executor.
type Counts struct {
	Verbs [catalog.Most]VerbCounts // by verb number
	Pool  status.PoolCounts
	Lost  map[string]uint64 // structures found incomplete, by kind
	Views views.Counts
	// Waiting is how many calls wait until there is something for them.
	Waiting int
}

// VerbCounts are the counts of one verb.
type VerbCounts struct {
	Calls uint64
	Trips uint64 // round trips
}

// Add adds the counts of another loop.
func (c *Counts) Add(other *Counts) {
	for i := range c.Verbs {
		c.Verbs[i].Calls += other.Verbs[i].Calls
		c.Verbs[i].Trips += other.Verbs[i].Trips
	}
	status.Add(c.Pool[:], other.Pool[:])
	if c.Lost == nil {
		c.Lost = map[string]uint64{}
	}
	for kind, n := range other.Lost {
		c.Lost[kind] += n
	}
	c.Views.Add(other.Views)
	c.Waiting += other.Waiting
}

func (c *Counts) countVerb(v *verbs.Verb, a verbs.Account) {
	c.Verbs[v.Number].Trips += uint64(a.Trips)
	c.Pool[status.CompactionsTried] += uint64(a.Tried)
	c.Pool[status.CompactionsWon] += uint64(a.Won)
	c.Pool[status.CompactionsLost] += uint64(a.Tried - a.Won)
}
