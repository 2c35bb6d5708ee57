//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// report returns the report in Markdown that can be read without being rendered, with
// references to the charts if there are any.
func report(about string, parts []*part, o *options, charts bool) string {
	var b strings.Builder
	b.WriteString("# Benchmark\n\n" + about)
	for _, p := range parts {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n%s", p.title, p.text, p.table(p.cells))
		for _, c := range p.barCharts() {
			if charts {
				b.WriteString(c.reference())
			}
		}
	}
	b.WriteString(columnsText)
	for _, p := range parts {
		for _, c := range p.detailed() {
			fmt.Fprintf(&b, "\n### %s\n\n%s; medians of %d round%s\n\n%s", c.name, c.what, c.roundsOf(o), plural(c.roundsOf(o)), c.table())
			if charts {
				b.WriteString(c.latencies().reference())
			}
		}
	}
	return b.String()
}

// writeReport writes the report to a file and the charts beside it.
func writeReport(path, text string, parts []*part) error {
	folder := filepath.Join(filepath.Dir(path), chartFolder)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, p := range parts {
		for _, c := range p.charts() {
			if err := c.write(folder); err != nil {
				return err
			}
		}
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

const columnsText = `
## All figures

requests/s: replies a second, without refusals; a get of many keys is one request. user, system, cpu: processor time of the contestant per
request outside of the kernel, in it, and both. stores: that of the memcacheds behind it. all: both. load: that of the program
that makes the load. Latency is from sending a batch of requests to its last reply; in an open loop, from when it should
have been sent. peak: resident memory at most. private: memory at the end that is not
mapped from a file, as the program is. failed: answered with SERVER_ERROR. others: share of the machine that
went to whatever else ran on it; from a few percent on, latencies tell more about that. memcached is one of the two,
asked directly: what there is to gain without a proxy.
`

// table has the medians of the contestants and, below them, how the subject
// compared with its rivals within the rounds.
func (c *cell) table() *table {
	t := &table{head: append([]string{""}, titles[:]...)}
	for _, name := range c.names {
		row := []string{name}
		for column := range columns {
			row = append(row, fmt.Sprintf("%.*f", digits[column], c.median(name, column)))
		}
		t.add(row...)
	}
	for _, rival := range c.rivals {
		medians, spreads := []string{c.subject + " : " + rival}, []string{"least–most"}
		for column := range columns {
			median, extent := "", ""
			if r, ok := c.ratio(rival, column); ok && column < compared {
				median, extent = fmt.Sprintf("%.2f", r.median), fmt.Sprintf("%.2f–%.2f", r.least, r.most)
			}
			medians, spreads = append(medians, median), append(spreads, extent)
		}
		t.add(medians...)
		t.add(spreads...)
	}
	return t
}
