//go:build linux

package main

import (
	"fmt"
	"slices"
)

// barTable is the table that shows which bars are met. It has a row for each rival
// in each cell, and a column for the figures that a cell has a bar for.
func barTable(cells []*cell) *table {
	t := &table{head: []string{"load", "beside"}}
	var told []column
	for column := range compared {
		if column == requests || column == cpu || column == p99 || slices.ContainsFunc(cells, func(c *cell) bool { return c.hasBar(column) }) {
			told = append(told, column)
			t.head = append(t.head, barTitles[column])
		}
	}
	for _, c := range cells {
		for i, rival := range c.rivals {
			row := []string{c.rowTitle(i), rival}
			for _, column := range told {
				row = append(row, c.verdict(rival, column))
			}
			t.add(row...)
		}
	}
	return t
}

// hasBar reports whether there is a bar on a figure beside any rival.
func (c *cell) hasBar(column column) bool {
	return slices.ContainsFunc(c.bars, func(b bar) bool { return b.column == column })
}

// rowTitle is how the row about a rival begins: only the first says what the cell is.
func (c *cell) rowTitle(rival int) string {
	if rival > 0 {
		return "″"
	}
	return c.what
}

// barTitles name the figures where there is room for it.
var barTitles = [columns]string{requests: "requests/s", user: "user time", system: "system time", cpu: "processor time per request",
	stores: "memcacheds' time", whole: "processor time of proxy and stores per request", loading: "load's time", p50: "p50", p99: "p99", p999: "p99.9", peak: "peak memory", private: "private memory"}

// verdict is the ratio of a figure of the subject to a rival's and, if there is
// a bar, whether it is met.
func (c *cell) verdict(rival string, column column) string {
	ratio, ok := c.ratio(rival, column)
	if !ok {
		return "–"
	}
	if b, ok := c.bar(rival, column); ok {
		return fmt.Sprintf("%v, %s", ratio, b.verdict(ratio.median))
	}
	return ratio.String()
}

// figure is a figure of a contestant and, if the contestant is the subject and there is a bar on the figure,
// whether the bar is met. It is empty for a contestant that had no turn.
func (c *cell) figure(name string, column column) string {
	if len(c.turns[name]) == 0 {
		return "–"
	}
	value := c.median(name, column)
	if column == failed { // none may fail
		value = c.sum(name, column)
	}
	text := fmt.Sprintf("%.*f", digits[column], value)
	if b, ok := c.bar(itself, column); ok && name == c.subject {
		text += ", " + b.verdict(value)
	}
	return text
}

// sweepTable has a row for each cell: what a request costs the two proxies, and
// each key of it.
func sweepTable(cells []*cell) *table {
	t := &table{head: []string{"load"}}
	for _, column := range []column{requests, cpu} {
		t.head = append(t.head, nutcracker+" "+titles[column], memverbs+" "+titles[column], "ratio")
	}
	t.head = append(t.head, nutcracker+" µs/key", memverbs+" µs/key")
	for _, c := range cells {
		row := []string{c.what}
		for _, column := range []column{requests, cpu} {
			for _, name := range c.names {
				row = append(row, fmt.Sprintf("%.*f", digits[column], c.median(name, column)))
			}
			row = append(row, c.verdict(nutcracker, column))
		}
		for _, name := range c.names {
			row = append(row, fmt.Sprintf("%.2f", c.median(name, cpu)/float64(c.keys)))
		}
		t.add(row...)
	}
	return t
}

// loopTable has a row for each contestant of each cell, where those are one
// program in different settings.
func loopTable(cells []*cell) *table {
	t := &table{head: []string{"load", "setting"}}
	for _, column := range []column{requests, cpu, p99} {
		t.head = append(t.head, titles[column], "ratio")
	}
	for _, c := range cells {
		for _, name := range c.names {
			row := []string{c.what, name}
			for _, column := range []column{requests, cpu, p99} {
				ratio := "–"
				if s, ok := ratios(c.values(name, column), c.values(c.rivals[0], column)); ok {
					ratio = s.String()
				}
				row = append(row, fmt.Sprintf("%.*f", digits[column], c.median(name, column)), ratio)
			}
			t.add(row...)
		}
	}
	return t
}
