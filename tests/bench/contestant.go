//go:build linux

package main

import (
	"github.com/memverbs/memverbs/tests/bench/load"
	"github.com/memverbs/memverbs/tests/spawn"
)

// The names of the contestants.
const (
	nutcracker     = "nutcracker"
	memverbs       = "memverbs"
	memcachedProxy = "memcached proxy" // the one built into memcached
	memcached      = "memcached"       // one server, asked directly
	oldMemverbs    = "old memverbs"    // see old.go
)

// contestant is one of those compared in a cell.
type contestant struct {
	processes []*spawn.Process // whose processor time and memory are reported
	stores    []*spawn.Process // the memcacheds behind them
	open      func() (driver, error)
}

// contestantOf returns servers with the same stores behind them as one contestant, which has no
// load yet.
func contestantOf(servers ...*server) *contestant {
	c := &contestant{}
	for _, s := range servers {
		c.processes = append(c.processes, s.Process)
	}
	for _, store := range servers[0].stores {
		c.stores = append(c.stores, store.Process)
	}
	return c
}

// driver puts a contestant under load. A [load.Generator] is one. It is opened
// afresh for every turn.
type driver interface {
	Run(load.Window) (load.Count, error)
	Stop()
	Close()
}

// underLoad returns a server as a contestant under a load that this program
// generates.
func (s *server) underLoad(shape load.Shape, source load.Source) *contestant {
	c := contestantOf(s)
	c.open = func() (driver, error) { return load.Open(s.Target, shape, source) }
	return c
}
