//go:build linux

package main

import (
	"slices"
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

// Ranks are those of tables of the binomial distribution: the least and the greatest of 6 values, the 6th and the 16th of
// 21.
func TestMedianWithin(t *testing.T) {
	for _, test := range []struct{ n, least, most int }{{1, 1, 1}, {5, 1, 5}, {6, 1, 6}, {9, 2, 8}, {21, 6, 16}, {30, 10, 21}} {
		var values []float64
		for i := range test.n {
			values = append(values, float64(test.n-i))
		}
		if got := medianWithin(values); got.least != float64(test.least) || got.most != float64(test.most) {
			t.Errorf("of %d values: %v to %v instead of %d to %d", test.n, got.least, got.most, test.least, test.most)
		}
	}
}

func TestBesideOld(t *testing.T) {
	for _, test := range []struct {
		ratios []float64
		column column
		want   string
	}{
		{[]float64{0.97, 1.01, 0.99}, requests, "0.990 (0.970–1.010) ✓"},
		{[]float64{0.97, 0.99, 0.99}, requests, "0.990 (0.970–0.990) **✗**"}, // certainly slower, though only by a little
		{[]float64{0.90, 0.97, 1.20}, requests, "0.970 (0.900–1.200) **✗**"}, // perhaps not slower, but that is not certain
		{[]float64{0.99, 1.01, 1.03}, cpu, "1.010 (0.990–1.030) ✓"},
		{[]float64{1.01, 1.01, 1.03}, cpu, "1.010 (1.010–1.030) **✗**"},
		{[]float64{2, 2, 2}, p99, "2.000 (2.000–2.000)"},
	} {
		c := &cell{names: []string{oldMemverbs, memverbs}, subject: memverbs, turns: map[string][]figures{}}
		for _, ratio := range test.ratios {
			var old, new figures
			old[test.column], new[test.column] = 100, 100*ratio
			c.turns[oldMemverbs], c.turns[memverbs] = append(c.turns[oldMemverbs], old), append(c.turns[memverbs], new)
		}
		if got := c.level(test.column); got != test.want {
			t.Errorf("%v: %s instead of %s", test.ratios, got, test.want)
		}
	}
}

// Every round has each contestant once, and neighbours change places from one to the next.
func TestOrderOfTurns(t *testing.T) {
	c := &cell{names: []string{nutcracker, memverbs, memcached}}
	for round, want := range [][]int{{0, 1, 2}, {2, 1, 0}, {0, 1, 2}} {
		if got := c.order(round); !slices.Equal(got, want) {
			t.Errorf("round %d: %v", round, got)
		}
	}
}

func TestRounds(t *testing.T) {
	for _, test := range []struct {
		rounds     rounds
		flag, want int
	}{{usual, 0, 5}, {few, 0, 3}, {many, 0, 81}, {usual, 9, 9}, {few, 9, 3}, {few, 1, 1}, {many, 1, 1}, {many, 40, 40}} {
		if got := (&cell{rounds: test.rounds}).roundsOf(&options{rounds: test.flag}); got != test.want {
			t.Errorf("%d with -rounds %d: %d instead of %d", test.rounds, test.flag, got, test.want)
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
