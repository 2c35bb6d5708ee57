//go:build linux

package load

import (
	"fmt"
	"math"
)

// Shape is how requests are sent.
type Shape struct {
	Conns    int     // connections
	Pipeline int     // requests sent at a time on one of them
	Rate     float64 // requests due per second, on all connections together; 0 makes a closed loop
	Threads  int     // threads that make the load; never more than connections
}

// Check refuses shapes that make no sense.
func (s Shape) Check() error {
	switch {
	case s.Conns < 1 || s.Pipeline < 1 || s.Threads < 1:
		return fmt.Errorf("%d connections, %d requests at a time, %d threads: each must be at least 1", s.Conns, s.Pipeline, s.Threads)
	case s.Rate < 0 || math.IsInf(s.Rate, 0) || math.IsNaN(s.Rate):
		return fmt.Errorf("%v requests a second: a rate must be positive, or 0 for a closed loop", s.Rate)
	}
	return nil
}
