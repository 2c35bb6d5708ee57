package proxy

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/execution"
	"github.com/memverbs/memverbs/proxy/reply"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/verbkeys"
)

// poolCounters are the counts of one pool on one loop. They outlive changes of the pool.
type poolCounters struct {
	tally.Counts
	verbs    execution.Counts
	meter    reply.Meter
	commands [protocol.NumCommands]uint64
	tooLarge uint64 // values that were refused here, so that no server has counted them
	noMemory uint64 // the same, for lack of memory
}

// countCarried counts a request for a key that names a verb like a request for an item.
func (s *poolCounters) countCarried(t tally.Kind, outcome verbkeys.Outcome) {
	switch outcome {
	case verbkeys.Done, verbkeys.Hit:
		s.Hit(t)
	case verbkeys.NotStored, verbkeys.Missing, verbkeys.Exists:
		s.Miss(t)
	}
}
