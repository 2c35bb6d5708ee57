//go:build linux

package main

import "cmp"

// verbTable has a row for each rival of memverbs in each cell, and one for a cell that has
// none.
func verbTable(cells []*cell) *table {
	t := &table{head: []string{"load", "beside"}}
	told := []column{requests, whole, p99}
	for _, column := range told {
		t.head = append(t.head, memverbs+" "+titles[column], "rival's", "ratio")
	}
	t.head = append(t.head, memverbs+" refused")
	for _, c := range cells {
		rivals := c.rivals
		if len(rivals) == 0 {
			rivals = []string{itself}
		}
		for i, rival := range rivals {
			row := []string{c.rowTitle(i), cmp.Or(rival, "–")}
			for _, column := range told {
				row = append(row, c.figure(memverbs, column), c.figure(rival, column), c.verdict(rival, column))
			}
			t.add(append(row, c.figure(memverbs, failed))...)
		}
	}
	return t
}
