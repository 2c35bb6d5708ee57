//go:build linux

package load

import (
	"errors"
	"sync"
	"sync/atomic"
)

// Crew is workers that are goroutines, for loads in which what is sent depends on earlier answers. Its
// zero value is ready for use.
type Crew struct{ stop atomic.Bool }

// Work makes so many workers do one piece of work after another, from now to the end of the window, and
// returns the counts within the window. piece does a worker's n-th piece of work, and returns how much that
// counts; a piece that counts nothing is not timed either. The first error ends the work, and is returned.
func (c *Crew) Work(w Window, workers int, piece func(worker, n int) (count uint64, err error)) (Count, error) {
	counts, errs := make([]Count, workers), make([]error, workers)
	var all sync.WaitGroup
	for i := range workers {
		counts[i] = NewCount()
		all.Go(func() {
			if errs[i] = c.work(w, &counts[i], func(n int) (uint64, error) { return piece(i, n) }); errs[i] != nil {
				c.Stop()
			}
		})
	}
	all.Wait()
	total := NewCount()
	for _, count := range counts {
		total.Add(count)
	}
	return total, errors.Join(errs...)
}

// work has one worker work.
func (c *Crew) work(w Window, total *Count, piece func(n int) (uint64, error)) error {
	for n, began := 0, Now(); began < w.Until && !c.stop.Load(); n++ {
		count, err := piece(n)
		if err != nil {
			return err
		}
		now := Now()
		if w.has(now) && count > 0 {
			total.Requests += count
			if err := total.Took.RecordValue(now - began); err != nil {
				return err
			}
		}
		began = now
	}
	return nil
}

// Stop makes Work return soon, without an error.
func (c *Crew) Stop() { c.stop.Store(true) }
