//go:build linux

package main

import (
	"time"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// watched is a driver that counts the operations of memcacheds within the window.
type watched struct {
	driver
	stores []*server
	note   func(operations int, count load.Count, length time.Duration)
}

// Run implements [driver].
func (w *watched) Run(window load.Window) (load.Count, error) {
	type reading struct {
		operations int
		err        error
	}
	readings := make(chan reading, 2)
	read := func() {
		n, err := operations(w.stores)
		readings <- reading{n, err}
	}
	time.AfterFunc(time.Duration(window.From-load.Now()), read)
	time.AfterFunc(time.Duration(window.Until-load.Now()), read)
	count, err := w.driver.Run(window)
	before, after := <-readings, <-readings
	for _, r := range []reading{before, after} {
		if err == nil {
			err = r.err
		}
	}
	if err == nil {
		w.note(after.operations-before.operations, count, time.Duration(window.Until-window.From))
	}
	return count, err
}
