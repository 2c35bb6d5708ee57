//go:build linux

package main

import "fmt"

// verbTable has a row for each rival of memverbs in each cell.
func verbTable(cells []*cell) *table {
	t := &table{head: []string{"load", "beside"}}
	told := []column{requests, whole, p99}
	for _, column := range told {
		t.head = append(t.head, memverbs+" "+titles[column], "rival's", "ratio")
	}
	for _, c := range cells {
		for i, rival := range c.rivals {
			row := []string{c.rowTitle(i), rival}
			for _, column := range told {
				for _, name := range []string{memverbs, rival} {
					row = append(row, fmt.Sprintf("%.*f", digits[column], c.median(name, column)))
				}
				row = append(row, c.verdict(rival, column))
			}
			t.add(row...)
		}
	}
	return t
}
