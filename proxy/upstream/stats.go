package upstream

import (
	"github.com/memverbs/memverbs/proxy/latency"
	"github.com/memverbs/memverbs/proxy/status"
)

// Stats are the counts of one loop for one upstream.
type Stats struct {
	// Counts are those up to [status.Refused]; the others are not counted by loops.
	Counts status.UpstreamCounts
	// RoundTrips is how long replies took.
	RoundTrips latency.Histogram
}

// Add adds the counts of another loop.
func (s *Stats) Add(other *Stats) {
	status.Add(s.Counts[:], other.Counts[:])
	s.RoundTrips.Merge(&other.RoundTrips)
}
