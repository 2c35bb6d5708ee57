//go:build linux

package main

import (
	"strings"
	"unicode/utf8"
)

// table is a table in Markdown, whose columns are aligned on a terminal as well. The
// first column has words, the others have figures.
type table struct {
	head []string
	rows [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) String() string {
	widths := make([]int, len(t.head))
	for _, row := range append([][]string{t.head}, t.rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell), len("--:"))
		}
	}
	var b strings.Builder
	write := func(row []string, fill string) {
		for i, cell := range row {
			pad := strings.Repeat(fill, widths[i]-utf8.RuneCountInString(cell))
			if i == 0 {
				b.WriteString("| " + cell + pad + " |")
			} else {
				b.WriteString(" " + pad + cell + " |")
			}
		}
		b.WriteString("\n")
	}
	write(t.head, " ")
	rule := make([]string, len(t.head))
	for i := range rule {
		if rule[i] = "-:"; i == 0 {
			rule[i] = "-"
		}
	}
	write(rule, "-")
	for _, row := range t.rows {
		write(row, " ")
	}
	return b.String()
}
