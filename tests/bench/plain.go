//go:build linux

package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// plain says which plain requests are sent, and how, in a cell of the pass-through
// path.
type plain struct {
	shape     load.Shape
	mix       load.Mix
	network   string
	upstreams int
	halfOf    *cell // makes an open loop at half the rate that nutcracker has borne there
}

// entrant is a program, with its flags, that will be a contestant.
type entrant struct {
	name    string
	program string
	flags   []string // of memverbs
}

// The entrants of most cells.
var (
	proxies = []entrant{{name: nutcracker, program: nutcracker}, {name: memverbs, program: memverbs}}
	direct  = entrant{name: memcached, program: memcached}
	all     = append(slices.Clone(proxies), entrant{name: memcachedProxy, program: memcachedProxy}, direct)
)

// newPlain returns requests on so many connections in a closed loop, for values of so
// many bytes. If values are large, there are fewer keys.
func newPlain(o *options, conns, pipeline, valueSize int) plain {
	return plain{
		shape:     load.Shape{Conns: conns, Pipeline: pipeline, Threads: o.threads},
		mix:       load.Mix{Keys: min(10_000, 20_000_000/valueSize), ValueSize: valueSize, GetKeys: 1, Sets: 0.1},
		network:   "tcp",
		upstreams: 2,
	}
}

// cell returns the cell in which the entrants compete in this setting.
func (p plain) cell(o *options, name string, entrants []entrant, bars ...bar) *cell {
	if o.changes != none {
		o.changes.apply(&p)
		bars = nil
	}
	c := &cell{name: name, what: p.String(), wrong: errors.Join(p.shape.Check(), p.mix.Check()), subject: memverbs, bars: bars, after: p.halfOf, keys: p.mix.GetKeys,
		set: func(s *stage) ([]*contestant, error) { return p.set(s, entrants) }}
	for _, e := range entrants {
		c.names = append(c.names, e.name)
		if e.program != memverbs && e.program != memcached {
			c.rivals = append(c.rivals, e.name)
		}
	}
	return c
}

// set sets the stage and fills the servers.
func (p plain) set(s *stage, entrants []entrant) (contestants []*contestant, err error) {
	if p.halfOf != nil && p.shape.Rate == 0 {
		p.shape.Rate = p.halfOf.median(nutcracker, requests) / 2
	}
	stores, err := s.memcacheds(p.upstreams, p.network)
	if err != nil {
		return nil, err
	}
	source := load.NewPlain(p.mix)
	for _, e := range entrants {
		server := stores[0]
		switch e.program {
		case nutcracker:
			server, err = s.nutcracker(stores, p.network)
		case memcachedProxy:
			server, err = s.memcachedProxy(stores)
		case memverbs:
			server, err = s.memverbs(stores, p.network, e.flags...)
		case oldMemverbs:
			server, err = s.placing(s.options.old, stores, p.network, e.flags...)
		}
		if err == nil {
			err = source.Preload(server.Target)
		}
		if err != nil {
			return nil, err
		}
		contestants = append(contestants, server.underLoad(p.shape, source))
	}
	return contestants, nil
}

// String says in what p differs from most cells.
func (p plain) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d connection%s, ", p.shape.Conns, plural(p.shape.Conns))
	if p.shape.Pipeline == 1 {
		b.WriteString("unpipelined")
	} else {
		fmt.Fprintf(&b, "%d pipelined", p.shape.Pipeline)
	}
	fmt.Fprintf(&b, ", %s", size(p.mix.ValueSize))
	for _, more := range []struct {
		told bool
		text string
	}{
		{p.mix.GetKeys > 1, fmt.Sprintf("gets of %d keys", p.mix.GetKeys)},
		{p.mix.Sets != 0.1, fmt.Sprintf("%.4g %% sets", p.mix.Sets*100)},
		{p.mix.Skew > 0, fmt.Sprintf("Zipf %.4g", p.mix.Skew)},
		{p.upstreams != 2, fmt.Sprintf("%d upstream%s", p.upstreams, plural(p.upstreams))},
		{p.network == "unix", "unix sockets"},
		{p.shape.Rate > 0, fmt.Sprintf("open loop at %.0f requests/s", p.shape.Rate)},
		{p.shape.Rate == 0 && p.halfOf != nil, "open loop at half of nutcracker's rate"},
	} {
		if more.told {
			b.WriteString(", " + more.text)
		}
	}
	return b.String()
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// size is a number of bytes in words.
func size(n int) string {
	if n >= 1000 && n%1000 == 0 {
		return fmt.Sprintf("%d kB", n/1000)
	}
	return fmt.Sprintf("%d B", n)
}
