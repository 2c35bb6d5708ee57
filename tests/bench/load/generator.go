//go:build linux

package load

import (
	"errors"
	"sync/atomic"
)

// Generator is a load that is ready to be run.
type Generator struct {
	shape   Shape
	workers []*worker
	stop    atomic.Bool
}

// Open connects to a target, to make a load of that shape out of requests from
// source. It fails if the shape makes no sense or a connection is refused.
func Open(t Target, s Shape, source Source) (*Generator, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	s.Threads = min(s.Threads, s.Conns)
	g := &Generator{shape: s}
	for i := range s.Threads {
		n := s.Conns*(i+1)/s.Threads - s.Conns*i/s.Threads
		w, err := newWorker(t, n, s.Pipeline, source)
		if err != nil {
			g.Close()
			return nil, err
		}
		w.stop = &g.stop
		g.workers = append(g.workers, w)
	}
	return g, nil
}

// Run makes the load from now to the end of the window, and returns what was
// counted within the window. It fails if a reply is wrong or missing. It can be
// called once.
func (g *Generator) Run(window Window) (Count, error) {
	ended := make(chan error, len(g.workers))
	now := Now()
	for i, w := range g.workers {
		w.window = window
		if g.shape.Rate > 0 {
			w.schedule = newSchedule(g.shape, i, now)
		}
		go func() { ended <- w.run() }()
	}
	var errs []error
	for range g.workers {
		errs = append(errs, <-ended)
	}
	total := NewCount()
	for _, w := range g.workers {
		total.Add(w.count)
	}
	return total, errors.Join(errs...)
}

// Stop has Run return at the next reply, without an error.
func (g *Generator) Stop() { g.stop.Store(true) }

// Close closes the connections. Nothing may be running.
func (g *Generator) Close() {
	for _, w := range g.workers {
		w.close()
	}
}
