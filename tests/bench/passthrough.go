//go:build linux

package main

import "slices"

// passThrough is the loads that memverbs and nutcracker are measured by.
func passThrough(o *options) *part {
	many := newPlain(o, 50, 1, 100)
	many.mix.GetKeys = 100
	local := newPlain(o, 50, 1, 100)
	local.network = "unix"

	plain := newPlain(o, 50, 1, 100).cell(o, "plain", all, besideNutcracker(1.0, 0.9, 1.0)...)
	return &part{
		name: "pass", title: "Plain commands", table: barTable, detail: true, drawn: []column{requests, cpu, p99},
		text: passThroughText,
		cells: []*cell{
			plain,
			newPlain(o, 50, 16, 100).cell(o, "pipelined", all, besideNutcracker(1.5, 0.5, 0.8)...),
			newPlain(o, 1, 1, 100).cell(o, "single", all, besideNutcracker(1.0, 1.0, 1.0)...),
			newPlain(o, 1000, 1, 100).cell(o, "many", all, besideNutcracker(1.0, 0.9, 1.0)...),
			many.cell(o, "multiget", all, besideNutcracker(1.5, 0.6, 0.8)...),
			newPlain(o, 50, 1, 10_000).cell(o, "10k", all, besideNutcracker(1.1, 0.8, 1.0)...),
			newPlain(o, 20, 1, 500_000).cell(o, "500k", all, besideNutcracker(1.0, 1.0, 1.0)...),
			openLoop(o, plain).cell(o, "open", all, besideNutcracker(0, 0.9, 1.0)[1:]...),
			local.cell(o, "unix", append(slices.Clone(proxies), direct), besideNutcracker(1.0, 0.9, 1.0)...),
		},
	}
}

const passThroughText = `memverbs beside nutcracker and beside the proxy that is built into memcached: median of the rounds' ratios, their spread,
and the bar, if there is one. nutcracker and memverbs place keys alike, by twemproxy:ketama:fnv1a_64. memcached's proxy has
no fnv1a_64: it places them as its route library (routelib) does unless told otherwise, by jump hash of XXH3. It
has as many threads as memverbs has event loops, and no part in the load over unix sockets, as it reaches no server there.`

// openLoop is the plain load at half the rate that nutcracker bears.
func openLoop(o *options, closed *cell) plain {
	p := newPlain(o, 50, 1, 100)
	p.halfOf = closed
	return p
}

// memory is the memory for very many connections: with few requests, and with one request of
// each at the same time.
func memory(o *options) *part {
	conns := min(10_000, openFiles()-spareFiles)
	entrants := []entrant{proxies[0], {name: memverbs, program: memverbs, flags: []string{"--max-clients", "20000"}}}
	idle := newPlain(o, conns, 1, 100)
	idle.shape.Rate = float64(conns) // each asks once a second, so all have been served
	p := &part{
		name: "memory", title: "Many connections", table: barTable, detail: true, drawn: []column{peak},
		text: "Peak resident memory where each of very many connections asks once a second, and where each asks again as soon as it is answered.",
		cells: []*cell{
			idle.cell(o, "idle", entrants, bar{nutcracker, peak, 1.0 / 3}),
			newPlain(o, conns, 1, 100).cell(o, "crowd", entrants),
		},
	}
	for _, c := range p.cells {
		fewRounds(c)
	}
	return p
}
