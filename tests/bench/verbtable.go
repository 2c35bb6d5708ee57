//go:build linux

package main

// verbTable has a row for each rival of memverbs in each cell.
func verbTable(cells []*cell) *table {
	t := &table{head: []string{"load", "beside"}}
	told := []column{requests, whole, p99}
	for _, column := range told {
		t.head = append(t.head, memverbs+" "+titles[column], "rival's", "ratio")
	}
	t.head = append(t.head, memverbs+" refused")
	for _, c := range cells {
		for i, rival := range c.rivals {
			row := []string{c.rowTitle(i), rival}
			for _, column := range told {
				row = append(row, c.figure(memverbs, column), c.figure(rival, column), c.verdict(rival, column))
			}
			t.add(append(row, c.figure(memverbs, failed))...)
		}
	}
	return t
}
