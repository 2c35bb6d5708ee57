package execution

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/catalog"
	"github.com/memverbs/memverbs/verbs/structure/views"
)

// Counts are the counts of an executor.
type Counts struct {
	Verbs       [catalog.Most]VerbCounts // by verb number
	Operations  uint64                   // operations of verbs
	Compactions struct{ Tried, Won uint64 }
	Incomplete  uint64            // structures found incomplete
	Lost        map[string]uint64 // the same by kind
	Foreign     uint64            // tokens of other kinds that were dropped
	Full        uint64            // how often a structure had no room for more
	Views       views.Counts
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
	c.Operations += other.Operations
	c.Compactions.Tried += other.Compactions.Tried
	c.Compactions.Won += other.Compactions.Won
	c.Incomplete += other.Incomplete
	if c.Lost == nil {
		c.Lost = map[string]uint64{}
	}
	for kind, n := range other.Lost {
		c.Lost[kind] += n
	}
	c.Foreign += other.Foreign
	c.Full += other.Full
	c.Views.Add(other.Views)
}

func (c *Counts) countVerb(v *verbs.Verb, a verbs.Account) {
	c.Verbs[v.Number].Trips += uint64(a.Trips)
	c.Compactions.Tried += uint64(a.Tried)
	c.Compactions.Won += uint64(a.Won)
}
