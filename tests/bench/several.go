//go:build linux

package main

import (
	"errors"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// several is a [driver] made of others, which run at the same time.
type several []driver

// openSeveral connects to servers. They share the connections of the shape evenly, and
// all get requests from the same source.
func openSeveral(servers []*server, shape load.Shape, source load.Source) (driver, error) {
	shape.Conns /= len(servers)
	var all several
	for _, s := range servers {
		g, err := load.Open(s.Target, shape, source)
		if err != nil {
			all.Close()
			return nil, err
		}
		all = append(all, g)
	}
	return all, nil
}

// Run implements [driver]. If one fails, the others are stopped.
func (s several) Run(w load.Window) (load.Count, error) {
	type end struct {
		count load.Count
		err   error
	}
	ends := make(chan end, len(s))
	for _, d := range s {
		go func() {
			count, err := d.Run(w)
			ends <- end{count, err}
		}()
	}
	total := load.NewCount()
	var errs []error
	for range s {
		e := <-ends
		if e.err != nil {
			s.Stop()
		}
		total.Add(e.count)
		errs = append(errs, e.err)
	}
	return total, errors.Join(errs...)
}

// Stop implements [driver].
func (s several) Stop() {
	for _, d := range s {
		d.Stop()
	}
}

// Close implements [driver].
func (s several) Close() {
	for _, d := range s {
		d.Close()
	}
}
