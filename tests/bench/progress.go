//go:build linux

package main

import (
	"fmt"
	"io"
	"time"
)

// How long turns and cells take in addition to what is measured, as a first guess.
const (
	turnExtra = 100 * time.Millisecond
	cellExtra = 500 * time.Millisecond
)

// progress reports how far the run has come. Standard output has only the report.
type progress struct {
	w       io.Writer
	options *options
	started time.Time
	total   time.Duration // how long everything should take
	done    time.Duration // how much of that is done
}

func newProgress(w io.Writer, parts []*part, o *options) *progress {
	cells := 0
	p := &progress{w: w, options: o, started: time.Now()}
	for _, part := range parts {
		for _, c := range part.cells {
			p.total += cellExtra + c.lasts + time.Duration(len(c.names)*c.roundsOf(o))*p.perTurn(c)
			cells++
		}
	}
	fmt.Fprintf(w, "%d cells, about %v\n", cells, p.total.Round(time.Second))
	return p
}

func (p *progress) perTurn(c *cell) time.Duration {
	length, warmup := c.lengthOf(p.options)
	return warmup + length + turnExtra
}

// setting tells that a cell begins.
func (p *progress) setting(c *cell) {
	p.done += cellExtra
	fmt.Fprintf(p.w, "%s  %s: %s\n", p.left(), c.name, c.what)
}

// turn reports the figures of a turn.
func (p *progress) turn(c *cell, round int, name string, f figures) {
	p.done += p.perTurn(c)
	fmt.Fprintf(p.w, "%s  %s, round %d of %d, %-15s  %8.0f requests/s  %7.2f µs  p99 %7.3f ms  others %.0f %%\n",
		p.left(), c.name, round+1, c.roundsOf(p.options), name, f[requests], f[cpu], f[p99], f[others])
}

// passed tells that so much of what was expected is done.
func (p *progress) passed(d time.Duration) { p.done += d }

// row reports the result of a row of bystanders.
func (p *progress) row(r *row, name string) {
	p.passed(lengthOfRow(p.options) + p.options.warmup + turnExtra)
	came := r.came[name]
	fmt.Fprintf(p.w, "%s  %s, %s: p99 %s ms, directly %.1f ms, %d refused; others: %d answered, %d refused\n",
		p.left(), r.what, name, came.p99(), p99Of(came.direct), came.asked.Failed, came.others.Requests-came.others.Failed, came.others.Failed)
	for _, err := range []error{came.failed, came.gone} {
		if err != nil {
			fmt.Fprintf(p.w, "    %v\n", err)
		}
	}
}

// memory reports by how many bytes each connection makes a contestant grow.
func (p *progress) memory(name string, round int, bytes float64) {
	fmt.Fprintf(p.w, "%s  round %d, %s: %.1f kB per connection\n", p.left(), round+1, name, bytes/1000)
}

// note reports a figure of a cell without turns.
func (p *progress) note(format string, args ...any) {
	fmt.Fprintf(p.w, "%s  %s\n", p.left(), fmt.Sprintf(format, args...))
}

// left is how long the rest will take, if it takes as long as expected.
func (p *progress) left() string {
	left := p.total - p.done
	if elapsed := time.Since(p.started); p.done > 10*time.Second {
		left = time.Duration(float64(left) * float64(elapsed) / float64(p.done))
	}
	left = max(left, 0).Round(time.Second)
	return fmt.Sprintf("%d:%02d left", int(left.Minutes()), int(left.Seconds())%60)
}
