//go:build linux

package load

// schedule says when the batches of an open loop are due: at equal intervals,
// not counted from when the one before was sent.
type schedule struct {
	first    int64   // when the first is due
	interval float64 // nanoseconds
	given    int     // how many have been sent
}

// newSchedule returns the schedule of the thread with that index, one of
// several which share the rate of the shape. Theirs interleave.
func newSchedule(s Shape, thread int, from int64) *schedule {
	interval := 1e9 / s.Rate * float64(s.Pipeline)
	return &schedule{
		first:    from + int64(interval*float64(thread)),
		interval: interval * float64(s.Threads),
	}
}

// due returns when the next batch is.
func (s *schedule) due() int64 { return s.first + int64(s.interval*float64(s.given)) }

// next goes on to the batch after it.
func (s *schedule) next() { s.given++ }
