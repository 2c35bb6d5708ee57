package proxy

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/verbkeys"
)

// counters are the counts of one loop.
type counters struct {
	tally.Counts
	commands  [protocol.NumCommands]uint64
	errors    errorCounts
	meter     meter
	accepted  uint64 // connections
	givenUp   uint64 // incomplete requests refused for lack of memory
	cutOff    uint64 // clients disconnected for lack of memory
	connected int    // connected clients
	read      uint64 // bytes from clients
	written   uint64 // bytes to them
}

// countCarried counts a request for a key that names a verb like a request for an item.
func (s *counters) countCarried(t tally.Kind, outcome verbkeys.Outcome) {
	switch outcome {
	case verbkeys.Done, verbkeys.Hit:
		s.Hit(t)
	case verbkeys.NotStored, verbkeys.Missing, verbkeys.Exists:
		s.Miss(t)
	}
}
