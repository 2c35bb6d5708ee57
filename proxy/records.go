package proxy

import (
	"time"
)

// The servers of a pool have a record of which servers verbs use, so that a proxy that starts knows of a change that is
// under way, see package placement. The first loop keeps the records.

const (
	// recordsPerSettle is how often records are looked after while one list of servers settles.
	recordsPerSettle = 4
	// quickest is the shortest time between two times.
	quickest = 250 * time.Millisecond
)

// keepRecords looks after the records until the server is stopped.
func (s *Server) keepRecords() {
	for {
		pause := s.shared.Setup.Load().ShortestSettle() / recordsPerSettle
		select {
		case <-time.After(max(pause, quickest)):
		case <-s.recordNow:
		case <-s.shared.Context.Done():
			return
		}
		first := s.shared.Loops[0]
		first.Post(func() { first.KeepRecords() })
	}
}

// recordSoon has the records looked after soon.
func (s *Server) recordSoon() {
	select {
	case s.recordNow <- struct{}{}:
	default:
	}
}
