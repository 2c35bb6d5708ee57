//go:build linux

package main

import (
	"fmt"
	"time"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// table has a row for each thing that others do.
func (st *stand) table() *table {
	t := &table{head: []string{"what others do", "memverbs p99 ms", "nutcracker p99 ms", "directly p99 ms", "bar",
		"refused", "memverbs' answers to others", "nutcracker's answers to others", "memverbs peak MB", "nutcracker peak MB"}}
	for _, r := range st.rows {
		ours, theirs := r.came[memverbs], r.came[nutcracker]
		if ours == nil {
			continue // it was not run
		}
		t.add(r.what, ours.p99(), theirs.p99(), fmt.Sprintf("%.1f", p99Of(ours.direct)), r.verdict(ours),
			fmt.Sprint(ours.asked.Failed), r.answersToOthers(ours), r.answersToOthers(theirs), ours.peakMB(), theirs.peakMB())
	}
	return t
}

func p99Of(n load.Count) float64 {
	return float64(n.Took.ValueAtPercentile(99)) / float64(time.Millisecond)
}

// noAnswer is shown instead of a figure.
const noAnswer = "no answer"

func (s *standing) p99() string {
	switch {
	case s == nil:
		return "–"
	case s.failed != nil:
		return noAnswer
	}
	return fmt.Sprintf("%.1f", p99Of(s.asked))
}

func (s *standing) peakMB() string {
	switch {
	case s == nil:
		return "–"
	case s.peak == 0:
		return "ended"
	}
	return fmt.Sprintf("%.0f", float64(s.peak)/(1<<20))
}

// answersToOthers says how many requests of the others were answered.
func (r *row) answersToOthers(s *standing) string {
	if s == nil || len(r.others) == 0 {
		return "–"
	}
	text := fmt.Sprint(s.others.Requests - s.others.Failed)
	if s.others.Failed > 0 {
		text += fmt.Sprintf(", %d refused", s.others.Failed)
	}
	if s.gone != nil {
		text += ", then " + noAnswer
	}
	return text
}

// verdict says whether the bar is met, where there is one: p99 of at most 3 × that
// asked directly and 10 ms more, nothing refused, and not all that the others asked for, since what
// is refused is no load.
func (r *row) verdict(s *standing) string {
	if r.asks != nil {
		return "–"
	}
	limit := 3*p99Of(s.direct) + 10
	allRefused := s.others.Failed > 0 && s.others.Failed == s.others.Requests
	if s.failed == nil && s.asked.Failed == 0 && !allRefused && p99Of(s.asked) <= limit {
		return fmt.Sprintf("≤ %.1f ✓", limit)
	}
	return fmt.Sprintf("≤ %.1f **✗**", limit)
}
