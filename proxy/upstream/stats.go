package upstream

// Stats are what one loop has counted of one upstream.
type Stats struct {
	Requests uint64
	Errors   uint64
	Timeouts uint64
	Refused  uint64 // as it was down, or went down before it had answered
}

// Add adds what another loop has counted.
func (s *Stats) Add(other *Stats) {
	s.Requests += other.Requests
	s.Errors += other.Errors
	s.Timeouts += other.Timeouts
	s.Refused += other.Refused
}

// countLost enters a request that was not answered before the connection was
// lost.
func (s *Stats) countLost(p *Pending) {
	if _, refused := p.Sink.(nobody); !refused && !p.own {
		s.Refused++
	}
}
