//go:build linux

package main

import (
	"context"
	"errors"
	"time"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// errUnanswered is what is wrong with a turn in which no request was answered.
var errUnanswered = errors.New("no request was answered in time")

// longestTurn is how long a turn may become at most if nothing is answered in shorter ones.
const longestTurn = time.Minute

// turn puts a contestant under its load, and returns the figures. If nothing is answered, it does so again for twice as
// long: where the first answers take work that later ones don't, as reading a large structure is, a busy machine
// may need longer for them than a short turn is.
func turn(ctx context.Context, c *contestant, length, warmup time.Duration) (f figures, n load.Count, err error) {
	return turnUpTo(ctx, c, length, longestTurn, warmup)
}

// turnUpTo is turn with the longest that one may become.
func turnUpTo(ctx context.Context, c *contestant, length, longest, warmup time.Duration) (f figures, n load.Count, err error) {
	for {
		f, n, err = tryTurn(ctx, c, length, warmup)
		if !errors.Is(err, errUnanswered) || 2*length > longest {
			return f, n, err
		}
		length *= 2
	}
}

// tryTurn is a turn of this length.
func tryTurn(ctx context.Context, c *contestant, length, warmup time.Duration) (f figures, n load.Count, err error) {
	d, err := c.open()
	if err != nil {
		return f, n, err
	}
	defer d.Close()
	for _, process := range c.processes {
		resetPeak(process)
	}

	from := load.Now() + int64(warmup)
	ended := make(chan error, 1)
	go func() {
		var err error
		n, err = d.Run(load.Window{From: from, Until: from + int64(length)})
		ended <- err
	}()
	err1 := wait(ctx, warmup)
	before, err2 := c.spent()
	err3 := wait(ctx, length)
	after, err4 := c.spent()
	if errors.Join(err1, err3) != nil {
		d.Stop()
	}
	if err := errors.Join(err1, err2, err3, err4, <-ended); err != nil {
		return f, n, err
	}
	if n.Requests == 0 {
		return f, n, errUnanswered
	}
	held, err := memoryOf(c.processes)
	if err != nil {
		return f, n, err
	}
	return newFigures(n, length, after.sub(before), held), n, nil
}

// wait lets the load run for d.
func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
