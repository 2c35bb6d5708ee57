//go:build linux

package main

import (
	"testing"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// cellOf returns a cell that has run, in which the proxies have so many requests
// a second and so much processor time per request.
func cellOf(t *testing.T, turns map[string][][2]float64, bars ...bar) *cell {
	t.Helper()
	c := &cell{name: "test", what: "a test", names: []string{nutcracker, memverbs},
		subject: memverbs, rivals: []string{nutcracker}, bars: bars, keys: 1}
	c.begin()
	for name, turns := range turns {
		for _, figure := range turns {
			var f figures
			f[requests], f[cpu] = figure[0], figure[1]
			count := load.NewCount()
			if err := count.Took.RecordValues(1_000_000, 100); err != nil {
				t.Fatal(err)
			}
			c.add(name, f, count)
		}
	}
	return c
}

func TestRatioIsTakenWithinRounds(t *testing.T) {
	// The machine was slow in the second round, for both of them.
	c := cellOf(t, map[string][][2]float64{
		nutcracker: {{100, 10}, {10, 100}, {100, 10}},
		memverbs:   {{110, 9}, {12, 80}, {130, 10}},
	})
	if got, want := c.verdict(nutcracker, requests), "1.200 (1.10–1.30)"; got != want {
		t.Errorf("requests: %s instead of %s", got, want)
	}
	if got, want := c.verdict(nutcracker, cpu), "0.900 (0.80–1.00)"; got != want {
		t.Errorf("cpu: %s instead of %s", got, want)
	}
	if got := c.verdict(nutcracker, p99); got != "–" {
		t.Errorf("p99, which was never told: %s", got)
	}
}

func TestBars(t *testing.T) {
	c := cellOf(t, map[string][][2]float64{nutcracker: {{100, 100}}, memverbs: {{100, 91}}},
		bar{nutcracker, requests, 1}, bar{nutcracker, cpu, 0.9})
	if got, want := c.verdict(nutcracker, requests), "1.000 (1.00–1.00), ≥ 1 ✓"; got != want {
		t.Errorf("%s instead of %s", got, want)
	}
	if got, want := c.verdict(nutcracker, cpu), "0.910 (0.91–0.91), ≤ 0.9 **✗**"; got != want {
		t.Errorf("%s instead of %s", got, want)
	}
}

// Refusals of all rounds count, and other figures by their median.
func TestBarsOnFiguresInThemselves(t *testing.T) {
	c := cellOf(t, map[string][][2]float64{nutcracker: {{100, 1}}, memverbs: {{300, 1}, {500, 1}, {700, 1}}},
		bar{itself, requests, 500}, bar{itself, failed, 0})
	c.turns[memverbs][2][failed] = 1
	for _, test := range []struct {
		name   string
		column column
		want   string
	}{
		{memverbs, requests, "500, ≥ 500 ✓"},
		{memverbs, failed, "1, ≤ 0 **✗**"},
		{memverbs, cpu, "1.00"},
		{nutcracker, requests, "100"},
		{itself, requests, "–"},
	} {
		if got := c.figure(test.name, test.column); got != test.want {
			t.Errorf("%s of %s: %s instead of %s", titles[test.column], test.name, got, test.want)
		}
	}
}

func TestSpread(t *testing.T) {
	for _, test := range []struct {
		values []float64
		want   spread
	}{
		{[]float64{3}, spread{3, 3, 3}},
		{[]float64{5, 1, 3}, spread{3, 1, 5}},
		{[]float64{5, 1, 2, 3}, spread{2.5, 1, 5}},
	} {
		if got := spreadOf(test.values); got != test.want {
			t.Errorf("%v: %+v instead of %+v", test.values, got, test.want)
		}
	}
}

func TestTablesAreStraight(t *testing.T) {
	c := cellOf(t, map[string][][2]float64{nutcracker: {{1000, 100}}, memverbs: {{1234, 50}}}, bar{nutcracker, cpu, 0.9})
	want := "" +
		"| load   |     beside |        requests/s | processor time per request | p99 |\n" +
		"| ------ | ---------: | ----------------: | -------------------------: | --: |\n" +
		"| a test | nutcracker | 1.234 (1.23–1.23) | 0.500 (0.50–0.50), ≤ 0.9 ✓ |   – |\n"
	got := barTable([]*cell{c}).String()
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestPercentilesEndWhereTheyAreKnown(t *testing.T) {
	h := load.NewCount().Took
	for i := range int64(1000) {
		if err := h.RecordValue((i + 1) * 1_000_000); err != nil {
			t.Fatal(err)
		}
	}
	points := percentiles(h)
	if last := points[len(points)-1]; last.Percentile < 98 || last.Percentile > 99.001 {
		t.Errorf("a thousand requests are shown up to %v%%", last.Percentile)
	}
	for _, p := range points {
		if want := p.Percentile * 10; p.Milliseconds < want-2 || p.Milliseconds > want+2 {
			t.Errorf("%v ms at %v%%", p.Milliseconds, p.Percentile)
		}
	}
}
