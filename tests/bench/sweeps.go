//go:build linux

package main

import (
	"fmt"
	"runtime"
	"strconv"
)

// sweep makes a cell one of several that differ in one number.
func sweep(c *cell) *cell {
	c.brief = true
	return fewRounds(c)
}

// fewRounds has a cell no more rounds than a sweep: differences are large there, or
// only wanted roughly.
func fewRounds(c *cell) *cell {
	c.rounds = few
	return c
}

// manyRounds has a cell many short rounds: it is compared with a rival that is about as fast as its bar asks for.
func manyRounds(c *cell) *cell {
	c.rounds = many
	return c
}

// loops is how memverbs' throughput grows with the number of its event loops: memverbs is
// compared with itself.
func loops(o *options) *part {
	var entrants []entrant
	for n := 1; ; n = min(2*n, runtime.NumCPU()) {
		entrants = append(entrants, entrant{fmt.Sprintf("%d loop%s", n, plural(n)), memverbs, []string{"--loops", strconv.Itoa(n)}})
		if n == runtime.NumCPU() {
			break
		}
	}
	p := &part{
		name: "loops", title: "Event loops", table: loopTable, drawn: []column{requests},
		text: "memverbs with more and more event loops, up to one for each core, beside one loop. The load and the memcacheds need the cores too.",
		cells: []*cell{
			sweep(newPlain(o, 50, 1, 100).cell(o, "loops-plain", entrants)),
			sweep(newPlain(o, 50, 16, 100).cell(o, "loops-pipelined", entrants)),
		},
	}
	for _, c := range p.cells {
		c.subject, c.rivals = entrants[len(entrants)-1].name, []string{entrants[0].name}
	}
	return p
}

// upstreams is how the cost of a request depends on the number of servers.
func upstreams(o *options) *part {
	var cells []*cell
	for _, keys := range []int{1, 100} {
		for n := 1; n <= 64; n *= 8 {
			p := newPlain(o, 50, 1, 100)
			p.upstreams, p.mix.GetKeys = n, keys
			cells = append(cells, sweep(p.cell(o, fmt.Sprintf("upstreams-%d-%d", n, keys), proxies)))
		}
	}
	return &part{
		name: "upstreams", title: "Upstreams", cells: cells, table: sweepTable, drawn: []column{cpu},
		text: "Cost per request as upstreams grow, for single keys and for gets of 100 keys, which go to all of them.",
	}
}

// width is how the cost of a request depends on the number of its keys.
func width(o *options) *part {
	var cells []*cell
	for n := 1; n <= 1000; n *= 10 {
		p := newPlain(o, 50, 1, 100)
		p.mix.GetKeys = n
		cells = append(cells, sweep(p.cell(o, fmt.Sprintf("keys-%d", n), proxies)))
	}
	return &part{
		name: "keys", title: "Keys of a get", cells: cells, table: sweepTable, drawn: []column{cpu},
		text: "Cost per request as gets have more keys, on 2 upstreams.",
	}
}
