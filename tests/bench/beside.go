//go:build linux

package main

import (
	"fmt"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// openBeside connects to the first and to the last of servers, with half of the shape's connections
// each. The requests of source go to the first and are counted. Those of meanwhile go to the last, and
// are not counted.
func openBeside(servers []*server, shape load.Shape, source, meanwhile load.Source) (driver, error) {
	shape.Conns /= 2
	counted, err := load.Open(servers[0].Target, shape, source)
	if err != nil {
		return nil, err
	}
	other, err := load.Open(servers[len(servers)-1].Target, shape, meanwhile)
	if err != nil {
		counted.Close()
		return nil, err
	}
	return several{counted, uncounted{other}}, nil
}

// uncounted is a driver that only disturbs others. It fails if anything is refused, as it
// would then disturb less.
type uncounted struct{ driver }

// Run implements [driver].
func (u uncounted) Run(w load.Window) (load.Count, error) {
	count, err := u.driver.Run(w)
	if err == nil && count.Failed > 0 {
		err = fmt.Errorf("%d of %d requests that others are measured beside were refused", count.Failed, count.Requests)
	}
	return load.NewCount(), err
}
