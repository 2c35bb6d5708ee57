package report

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/execution"
	"github.com/memverbs/memverbs/proxy/reply"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/verbkeys"
)

// Counters are the counts of one pool on one loop. A pool that replaces another of the same name
// keeps them.
type Counters struct {
	tally.Counts
	Verbs    execution.Counts
	Meter    reply.Meter
	Commands [protocol.NumCommands]uint64
	TooLarge uint64 // values that the proxy refused, so that no server has counted them
	NoMemory uint64 // the same, for lack of memory
}

// CountCarried counts a request for a key that names a verb like a request for an item.
func (s *Counters) CountCarried(t tally.Kind, outcome verbkeys.Outcome) {
	switch outcome {
	case verbkeys.Done, verbkeys.Hit:
		s.Hit(t)
	case verbkeys.NotStored, verbkeys.Missing, verbkeys.Exists:
		s.Miss(t)
	}
}

func (c *Counters) add(other *Counters) {
	c.Counts.Add(&other.Counts)
	c.Verbs.Add(&other.Verbs)
	c.Meter.Add(&other.Meter)
	c.TooLarge += other.TooLarge
	c.NoMemory += other.NoMemory
	status.Add(c.Commands[:], other.Commands[:])
}
