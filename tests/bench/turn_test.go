//go:build linux

package main

import (
	"errors"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// slow is a driver that is answered only in windows of a length.
type slow struct{ length time.Duration }

func (s slow) Run(w load.Window) (load.Count, error) {
	count := load.NewCount()
	if time.Duration(w.Until-w.From) >= s.length {
		count.Requests = 1
	}
	return count, nil
}

func (slow) Stop()  {}
func (slow) Close() {}

// A turn that is too short for an answer is repeated, longer each time, but not for ever.
func TestTurnWithoutAnswers(t *testing.T) {
	for _, test := range []struct {
		length, answers time.Duration
		err             error
	}{
		{time.Millisecond, 4 * time.Millisecond, nil},
		{time.Millisecond, time.Hour, errUnanswered},
	} {
		opened := 0
		longest := 16 * time.Millisecond
		c := &contestant{open: func() (driver, error) { opened++; return slow{test.answers}, nil }}
		_, n, err := turnUpTo(t.Context(), c, test.length, longest, 0)
		if !errors.Is(err, test.err) || err == nil && (n.Requests != 1 || opened != 3) || err != nil && opened != 5 {
			t.Errorf("answered in %v: %d requests after %d turns, %v", test.answers, n.Requests, opened, err)
		}
	}
}
