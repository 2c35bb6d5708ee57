//go:build linux

package main

import "flag"

// changes are the flags that change all cells of plain requests. A cell that was
// changed has no bars.
type changes struct {
	conns, pipeline, keys, valueSize, getKeys int
	rate, sets, skew                          float64
}

// none is no change. A share of sets or a skew may be 0.
var none = changes{sets: -1, skew: -1}

func (c *changes) addFlags(f *flag.FlagSet) {
	*c = none
	f.IntVar(&c.conns, "conns", c.conns, "connections, instead of what the cells have")
	f.IntVar(&c.pipeline, "pipeline", c.pipeline, "requests sent at a time on a connection, likewise")
	f.IntVar(&c.keys, "keys", c.keys, "keys there are, likewise")
	f.IntVar(&c.valueSize, "value-size", c.valueSize, "bytes of a value, likewise")
	f.IntVar(&c.getKeys, "get-keys", c.getKeys, "keys of a get, likewise")
	f.Float64Var(&c.rate, "rate", c.rate, "requests per second, in an open loop, likewise")
	f.Float64Var(&c.sets, "sets", c.sets, "share of requests that are sets, likewise (default 0.1)")
	f.Float64Var(&c.skew, "skew", c.skew, "exponent of the Zipf distribution of keys, likewise (default 0: all alike)")
}

// apply changes p.
func (c changes) apply(p *plain) {
	set(&p.shape.Conns, c.conns)
	set(&p.shape.Pipeline, c.pipeline)
	set(&p.mix.Keys, c.keys)
	set(&p.mix.ValueSize, c.valueSize)
	set(&p.mix.GetKeys, c.getKeys)
	set(&p.shape.Rate, c.rate)
	if c.sets >= 0 {
		p.mix.Sets = c.sets
	}
	if c.skew >= 0 {
		p.mix.Skew = c.skew
	}
}

func set[T int | float64](to *T, from T) {
	if from != 0 {
		*to = from
	}
}
