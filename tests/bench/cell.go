//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// cell is one load and the contestants that are put under it.
type cell struct {
	name    string
	what    string
	names   []string // of the contestants, in the order of their turns
	subject string   // the contestant that the cell is about,
	rivals  []string // those it is compared with,
	bars    []bar    // and what it must reach
	rounds  rounds
	brief   bool  // whether turns are half as long as others
	after   *cell // one that must have run before, if any
	keys    int   // of a get
	wrong   error // why it can't be run, if it can't
	set     func(*stage) ([]*contestant, error)
	alone   func(*stage, *progress) error // runs a cell without turns
	lasts   time.Duration                 // about how long that takes

	turns map[string][]figures // by contestant and round
	took  map[string]*hdrhistogram.Histogram
}

// run has the contestants take their turns.
func (c *cell) run(ctx context.Context, folder string, o *options, p *progress) (err error) {
	s := &stage{ctx: ctx, folder: folder, options: o}
	defer s.clear()
	p.setting(c)
	if c.alone != nil {
		return c.alone(s, p)
	}
	contestants, err := c.set(s)
	if err != nil {
		return err
	}
	c.begin()
	for round := range c.roundsOf(o) {
		for _, i := range c.order(round) {
			name := c.names[i]
			length, warmup := c.lengthOf(o)
			f, count, err := turn(ctx, contestants[i], length, warmup)
			if err != nil {
				return errors.Join(fmt.Errorf("%s: %w", name, err), s.said())
			}
			c.add(name, f, count)
			p.turn(c, round, name, f)
		}
	}
	return nil
}

// order returns the indices of the contestants in the order of their turns in a
// round. Every other round goes backwards, so that nobody gains by always coming
// after the same neighbour.
func (c *cell) order(round int) []int {
	order := make([]int, len(c.names))
	for i := range order {
		order[i] = i
	}
	if round%2 == 1 {
		slices.Reverse(order)
	}
	return order
}

// begin forgets all turns.
func (c *cell) begin() {
	c.turns, c.took = map[string][]figures{}, map[string]*hdrhistogram.Histogram{}
}

// add adds the figures of a contestant's turn.
func (c *cell) add(name string, f figures, count load.Count) {
	c.turns[name] = append(c.turns[name], f)
	if c.took[name] == nil {
		c.took[name] = load.NewCount().Took
	}
	c.took[name].Merge(count.Took)
}

// rounds is how often each contestant of a cell has its turn.
type rounds int

// The kinds of rounds.
const (
	usual rounds = iota
	few          // since differences are large there
	many         // and short ones, since they are small: neighbours are compared before the machine changes
)

const (
	usualRounds = 5
	sweepRounds = 3
	shortRounds = 81
)

// roundsOf returns how often each contestant has its turn.
func (c *cell) roundsOf(o *options) int {
	switch {
	case c.rounds == few && o.rounds > 0:
		return min(sweepRounds, o.rounds)
	case o.rounds > 0:
		return o.rounds
	}
	return [...]int{usual: usualRounds, few: sweepRounds, many: shortRounds}[c.rounds]
}

// lengthOf returns how long a turn is measured, and how long the load runs before that.
func (c *cell) lengthOf(o *options) (length, warmup time.Duration) {
	length = time.Duration(o.seconds * float64(time.Second))
	switch {
	case c.rounds == many:
		return length / 3, o.warmup / 2
	case c.brief:
		return length / 2, o.warmup
	}
	return length, o.warmup
}

// values returns a figure of a contestant, round by round.
func (c *cell) values(name string, column column) (values []float64) {
	for _, f := range c.turns[name] {
		values = append(values, f[column])
	}
	return values
}

// median returns the median of a figure of a contestant; 0 before the cell has
// run.
func (c *cell) median(name string, column column) float64 {
	if len(c.turns[name]) == 0 {
		return 0
	}
	return spreadOf(c.values(name, column)).median
}

// sum returns the sum of a figure of a contestant over all rounds.
func (c *cell) sum(name string, column column) (sum float64) {
	for _, value := range c.values(name, column) {
		sum += value
	}
	return sum
}

// ratio returns how a figure of the subject compares with that of a rival.
func (c *cell) ratio(rival string, column column) (s spread, ok bool) {
	return ratios(c.values(c.subject, column), c.values(rival, column))
}

// bar returns the bar on a figure, by itself or divided by that of a rival, if there is one.
func (c *cell) bar(rival string, column column) (bar, bool) {
	i := slices.IndexFunc(c.bars, func(b bar) bool { return b.rival == rival && b.column == column })
	if i < 0 {
		return bar{}, false
	}
	return c.bars[i], true
}
