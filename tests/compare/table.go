//go:build linux

package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// table is what one load came to.
type table struct {
	load        *load
	contestants []*contestant
	rounds      [][]figures // by contestant and round
	options     *options
}

func newTable(l *load, contestants []*contestant, o *options) *table {
	return &table{l, contestants, make([][]figures, len(contestants)), o}
}

// add adds the figures of a contestant's turn.
func (t *table) add(contestant int, f figures) {
	t.rounds[contestant] = append(t.rounds[contestant], f)
}

// print prints the median of each contestant's rounds, and below them how
// memverbs and nutcracker compared within the rounds.
func (t *table) print(w io.Writer) {
	fmt.Fprintf(w, "\n%s: %s\n%d rounds of %v s, medians\n\n", t.load.name, t.load.what, t.options.rounds, t.options.seconds)
	row(w, "", titles[:])
	for i, c := range t.contestants {
		row(w, c.title(), t.cells(i))
	}
	medians, spreads := t.ratios()
	row(w, "memverbs/nutcracker", medians)
	row(w, "  min..max", spreads)
}

func (c *contestant) title() string {
	if len(c.stores) == 0 {
		return c.name + " (one, alone)"
	}
	return c.name
}

// cells returns the medians of a contestant.
func (t *table) cells(contestant int) (cells []string) {
	for column := range columns {
		var values []float64
		for _, f := range t.rounds[contestant] {
			values = append(values, f[column])
		}
		cells = append(cells, fmt.Sprintf("%.*f", digits[column], median(values)))
	}
	return cells
}

// ratios returns the medians and the spreads of the rounds' ratios.
func (t *table) ratios() (medians, spreads []string) {
	for column := range compared {
		var values []float64
		for round := range t.rounds[memverbs] {
			if n := t.rounds[nutcracker][round][column]; n > 0 {
				values = append(values, t.rounds[memverbs][round][column]/n)
			}
		}
		if len(values) == 0 {
			medians, spreads = append(medians, ""), append(spreads, "")
			continue
		}
		medians = append(medians, fmt.Sprintf("%.2f", median(values)))
		spreads = append(spreads, fmt.Sprintf("%.2f..%.2f", slices.Min(values), slices.Max(values)))
	}
	return medians, spreads
}

// median returns the median, having sorted the values.
func median(values []float64) float64 {
	slices.Sort(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}

func row(w io.Writer, title string, cells []string) {
	var line strings.Builder
	fmt.Fprintf(&line, "%-24s", title)
	for _, cell := range cells {
		fmt.Fprintf(&line, " %12s", cell)
	}
	fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
}
