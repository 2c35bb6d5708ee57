//go:build linux

package main

import (
	"fmt"
	"time"

	"github.com/memverbs/memverbs/tests/bench/load"
	"github.com/memverbs/memverbs/tests/bench/taskload"
)

// takes is how many tasks workers take out of a queue by memverbs in different situations, and how many
// operations of the memcacheds that needs.
func takes(o *options) *part {
	due, empty := taskload.Consume, taskload.Look
	all := []*takeCell{
		{name: "take-empty", what: "take a task where there is no queue", job: empty},
		{name: "take-pending", what: "take a task where 10 000 are pending", pending: 10_000, job: empty},
		{name: "take-one", what: "take the only task that is due, and give it back", due: 1, job: taskload.Pass},
		{name: "take-one-2", what: "the same through two memverbs", due: 1, proxies: 2, job: taskload.Pass},
		{name: "take-10000", what: "put, take and end a task, 10 000 others being due", due: 10_000, job: taskload.Whole},
		{name: "take-10000-2", what: "the same through two memverbs", due: 10_000, proxies: 2, job: taskload.Whole},
		{name: "take-put", what: "take and end a task, while another puts without a pause through another memverbs", due: 1000,
			proxies: 2, producers: 1, job: due},
		{name: "take-put-16", what: "the same while 16 others do", due: 1000, proxies: 2, producers: 16, job: due},
	}
	p := &part{name: "takes", title: "Taking tasks", text: takesText, apart: true, detail: true}
	for _, d := range all {
		p.cells = append(p.cells, d.cell(o))
	}
	p.table = func([]*cell) *table { return takeTable(p.cells, all) }
	return p
}

const takesText = `16 workers of memverbs and one queue, of tasks of 100 B. What is told of is counted once for a task that was taken, or
asked for in vain where none is due. Operations are those of the memcacheds in the same time, of whatever requests.`

// takeCell describes a cell.
type takeCell struct {
	name, what   string
	proxies      int // that workers are connected to, 1 unless set; producers, if there are any, use the last
	producers    int
	due, pending int // how many tasks there are in the beginning
	job          taskload.Job

	operations []float64 // of the memcacheds, for each take, by turn
}

func (d *takeCell) cell(o *options) *cell {
	c := &cell{name: d.name, what: d.what, names: []string{memverbs}, subject: memverbs, brief: true}
	c.set = func(s *stage) ([]*contestant, error) {
		proxies, err := s.taskProxies(max(1, d.proxies))
		if err != nil {
			return nil, err
		}
		one := contestantOf(proxies...)
		one.open = func() (driver, error) { return d.open(proxies) }
		return []*contestant{one}, nil
	}
	return fewRounds(c)
}

// open fills the queue and has the workers ready.
func (d *takeCell) open(proxies []*server) (driver, error) {
	if err := (taskCell{due: d.due, pending: d.pending}).fill(taskload.Verbs, proxies[0].Target); err != nil {
		return nil, err
	}
	at := proxies
	if d.producers > 0 {
		at = proxies[:len(proxies)-1]
	}
	var all several
	for _, proxy := range at {
		c, err := taskload.Open(taskload.Verbs, proxy.Target, taskWorkers/len(at), d.job)
		if err != nil {
			all.Close()
			return nil, err
		}
		all = append(all, c)
	}
	if d.producers > 0 {
		c, err := taskload.Open(taskload.Verbs, proxies[len(proxies)-1].Target, d.producers, taskload.Produce)
		if err != nil {
			all.Close()
			return nil, err
		}
		all = append(all, uncounted{c})
	}
	return &watched{all, proxies[0].stores, func(operations int, count load.Count, _ time.Duration) {
		if count.Requests > 0 {
			d.operations = append(d.operations, float64(operations)/float64(count.Requests))
		}
	}}, nil
}

func takeTable(cells []*cell, all []*takeCell) *table {
	t := &table{head: []string{"load", "takes/s", "p50 ms", "p99 ms", "operations per take", "memverbs µs", "memcacheds µs"}}
	for _, c := range cells {
		for _, d := range all {
			if d.name != c.name {
				continue
			}
			perTake := "–"
			if len(d.operations) > 0 {
				perTake = fmt.Sprintf("%.1f", spreadOf(d.operations).median)
			}
			t.add(c.what, c.figure(memverbs, requests), c.figure(memverbs, p50), c.figure(memverbs, p99), perTake,
				c.figure(memverbs, cpu), c.figure(memverbs, stores))
		}
	}
	return t
}
