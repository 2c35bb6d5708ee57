//go:build linux

package main

import (
	"fmt"

	"github.com/memverbs/memverbs/tests/bench/taskload"
)

// oldRevision is the revision that no later one may be slower than: the last release, and until
// there is one, a revision from before statistics and limits grew. tests/fetch-old.sh builds it.
const oldRevision = "3f61a36"

// oldPairs is who competes beside an old memverbs.
var oldPairs = []entrant{{name: oldMemverbs, program: oldMemverbs}, {name: memverbs, program: memverbs}}

// besideOld compares plain commands through memverbs with those through an old one. Each of many changes may make less
// of a difference than the noise of its measurement, but all of them together more.
func besideOld(o *options) *part {
	multiget := newPlain(o, 50, 1, 100)
	multiget.mix.GetKeys = 100
	p := &part{
		name: "old", title: "Beside an old memverbs", text: oldText, apart: true, table: oldTable, detail: true,
		cells: []*cell{
			newPlain(o, 50, 1, 100).cell(o, "old-plain", oldPairs),
			newPlain(o, 50, 16, 100).cell(o, "old-pipelined", oldPairs),
			newPlain(o, 1, 1, 100).cell(o, "old-single", oldPairs),
			multiget.cell(o, "old-multiget", oldPairs),
			newPlain(o, 50, 1, 10_000).cell(o, "old-10k", oldPairs),
			newPlain(o, 20, 1, 500_000).cell(o, "old-500k", oldPairs),
		},
	}
	for _, c := range p.cells {
		manyRounds(c)
	}
	p.cells = append(p.cells, fewRounds(oldIdle(o)))
	return p
}

// oldIdle compares the memory for very many connections with few requests.
func oldIdle(o *options) *cell {
	var entrants []entrant
	for _, e := range oldPairs {
		e.flags = []string{"--max-clients", "20000"}
		entrants = append(entrants, e)
	}
	idle := newPlain(o, min(10_000, openFiles()-spareFiles), 1, 100)
	idle.shape.Rate = float64(idle.shape.Conns) // each asks once a second
	return idle.cell(o, "old-idle", entrants, bar{oldMemverbs, private, 1.0})
}

// verbsBesideOld compares verbs through memverbs with those through an old one, which must know them.
func verbsBesideOld(o *options) *part {
	set, rankings := largeSet, manyRankings
	p := &part{
		name: "old-verbs", title: "Verbs beside an old memverbs", text: oldText, apart: true, table: oldTable, detail: true,
	}
	for _, v := range []struct {
		name, what string
		ready      func() preparation
	}{
		{"sadd", "sadd to 100 000 sets", func() preparation { return after(manySets.FillItems, manySets.Sadd) }},
		{"scard", "scard of one set of 10 000", func() preparation { return after(set.FillVerbs, set.Scard) }},
		{"rpush", "rpush to 100 000 lists", func() preparation { return pushing().ours }},
		{"lrange", "lrange of 100", func() preparation { return ranging(100, 50).ours }},
		{"lpop", "lpop of one list of 1000, a tenth as many rpush of ten", func() preparation { return popping(queue, 1).ours }},
		{"rput", "rput of 300 B to 10 000 lists", func() preparation { return putting().ours }},
		{"lpop-data", "lpop of one list of 1000 × 300 B, and as many rput", func() preparation { return poppingData(1).ours }},
		{"zincrby", "zincrby to 1000 rankings of 100", func() preparation { return after(rankings.FillItems, rankings.Zincrby) }},
	} {
		c := verbCell{name: "old-" + v.name, what: v.what + ", 50 connections", conns: 50, pipeline: 1, acts: []act{
			{name: memverbs, ready: v.ready()},
			{name: oldMemverbs, ready: v.ready()},
		}}.cell(o)
		p.cells = append(p.cells, manyRounds(c))
	}
	p.cells = append(p.cells, manyRounds(oldTakes()))
	return p
}

// oldTakes compares how fast workers take tasks of one queue through two memverbs.
func oldTakes() *cell {
	c := &cell{name: "old-takes", what: "put, take and end a task, 10 000 others being due, through two memverbs, 16 workers",
		names: []string{memverbs, oldMemverbs}, subject: memverbs, rivals: []string{oldMemverbs}, brief: true}
	c.set = func(s *stage) (all []*contestant, err error) {
		stores, err := s.memcacheds(2, "tcp")
		if err != nil {
			return nil, err
		}
		for _, program := range []string{s.options.memverbs, s.options.old} {
			proxies, err := s.likeGomemcache(program, stores, 2)
			if err != nil {
				return nil, err
			}
			one := contestantOf(proxies...)
			one.open = func() (driver, error) { return (&takeCell{due: 10_000, job: taskload.Whole}).open(proxies) }
			all = append(all, one)
		}
		return all, nil
	}
	return c
}

const oldText = `memverbs divided by an old one (` + oldRevision + `, unless -old names another), everything set as it is by itself: the median of the rounds'
ratios, and in brackets the interval that holds the true median with a probability of 95 %. A load is passed (✓) if that
interval reaches 1 and the median is no worse than 0.98 where more is better, and 1.02 where less is. The peak of the memory counts the pages
of the program itself, which is larger now; private memory does not.`

// oldTable has a row for each cell.
func oldTable(cells []*cell) *table {
	told := []column{requests, cpu, p99, peak, private}
	t := &table{head: []string{"load", "pairs"}}
	for _, column := range told {
		t.head = append(t.head, barTitles[column])
	}
	for _, c := range cells {
		row := []string{c.what, fmt.Sprint(len(c.turns[c.subject]))}
		for _, column := range told {
			row = append(row, c.level(column))
		}
		t.add(row...)
	}
	return t
}

// level is the ratio of a figure of a cell to that of the old memverbs, and whether it passes. Requests per second and
// processor time pass or fail. Latencies don't, since they vary too much. Memory does only in the cell that is about
// memory.
func (c *cell) level(column column) string {
	if _, ok := c.bar(oldMemverbs, column); ok {
		return c.verdict(oldMemverbs, column)
	}
	values := ratiosOf(c.values(c.subject, column), c.values(oldMemverbs, column))
	if len(values) == 0 {
		return "–"
	}
	between := medianWithin(values)
	median := between.median
	text := fmt.Sprintf("%.3f (%.3f–%.3f)", median, between.least, between.most)
	switch {
	case column != requests && column != cpu:
		return text
	case column.moreIsBetter() && between.most >= 1 && median >= 0.98, !column.moreIsBetter() && between.least <= 1 && median <= 1.02:
		return text + " ✓"
	}
	return text + " **✗**"
}
