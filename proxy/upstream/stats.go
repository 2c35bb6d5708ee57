package upstream

import "github.com/memverbs/memverbs/proxy/latency"

// Stats are the counts of one loop for one upstream.
type Stats struct {
	Requests uint64
	Errors   uint64
	Timeouts uint64
	Refused  uint64 // because it was down, or went down before it had answered
	// RoundTrips is how long replies took.
	RoundTrips latency.Histogram
}

// Add adds the counts of another loop.
func (s *Stats) Add(other *Stats) {
	s.Requests += other.Requests
	s.Errors += other.Errors
	s.Timeouts += other.Timeouts
	s.Refused += other.Refused
	s.RoundTrips.Merge(&other.RoundTrips)
}
