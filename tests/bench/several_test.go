//go:build linux

package main

import (
	"errors"
	"testing"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// counting is a driver that counts one request, and fails or waits to be stopped.
type counting struct {
	err     error
	failed  uint64
	waits   bool
	stopped chan struct{}
}

func (c *counting) Run(load.Window) (load.Count, error) {
	if c.waits {
		<-c.stopped
	}
	count := load.NewCount()
	count.Requests, count.Failed = 1, c.failed
	return count, c.err
}

func (c *counting) Stop() {
	if c.waits {
		close(c.stopped)
	}
}

func (c *counting) Close() {}

func TestSeveralAreCountedTogether(t *testing.T) {
	count, err := several{&counting{}, &counting{}}.Run(load.Window{})
	if count.Requests != 2 || err != nil {
		t.Errorf("%d requests, %v", count.Requests, err)
	}
}

// The others would go on until the window ends.
func TestOneThatFailsStopsTheOthers(t *testing.T) {
	broken := errors.New("broken")
	_, err := several{&counting{err: broken}, &counting{waits: true, stopped: make(chan struct{})}}.Run(load.Window{})
	if !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

func TestUncounted(t *testing.T) {
	count, err := several{&counting{}, uncounted{&counting{}}}.Run(load.Window{})
	if count.Requests != 1 || err != nil {
		t.Errorf("%d requests, %v", count.Requests, err)
	}
	if _, err := (uncounted{&counting{failed: 1}}).Run(load.Window{}); err == nil {
		t.Error("a refusal was not told")
	}
}
