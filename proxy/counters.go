package proxy

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/verbkeys"
)

// counters are what one loop has counted.
type counters struct {
	tally.Counts
	commands  [protocol.NumCommands]uint64
	errors    errorCounts
	accepted  uint64 // connections
	givenUp   uint64 // requests that were being received, as there was no memory
	cutOff    uint64 // clients
	connected int    // clients now
	read      uint64 // bytes from clients
	written   uint64 // bytes to them
}

// countCarried enters a request for a key that names a verb, as one for an item
// under that key.
func (s *counters) countCarried(t tally.Kind, outcome verbkeys.Outcome) {
	switch outcome {
	case verbkeys.Stored, verbkeys.Hit:
		s.Hit(t)
	case verbkeys.NotStored, verbkeys.Missing:
		s.Miss(t)
	}
}
