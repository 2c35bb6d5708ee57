//go:build linux

package main

import (
	"errors"
	"fmt"

	"github.com/memverbs/memverbs/tests/bench/connload"
	"github.com/memverbs/memverbs/tests/bench/load"
)

// tlsCell describes a cell of TLS.
type tlsCell struct {
	plain                                                // what is stored and, unless there are visitors, requested
	what  string                                         // the description
	names []string                                       // of the contestants,
	build func(*stage) ([]*tlsServer, error)             // starts them in this order, and maybe more
	open  func(load.Target, *load.Plain) (driver, error) // puts one under load
}

// tlsServer is a contestant before it is put under load.
type tlsServer struct {
	load.Target // where it is asked
	*contestant
}

// withTLS is a load by clients that speak TLS.
func withTLS(p plain) tlsCell {
	return tlsCell{plain: p, what: "%v", names: tlsNames, build: (*stage).withTLS}
}

// visits is a load of new connections by clients that speak TLS.
func visits(o *options, name string, resume bool) *cell {
	const visitors = 16
	t := withTLS(newPlain(o, visitors, 1, 100))
	t.names = tlsNames[:len(tlsNames)-1] // all that speak TLS
	if t.what = "new connections, full handshakes"; resume {
		t.what = "new connections, resumed sessions"
	}
	t.open = func(at load.Target, source *load.Plain) (driver, error) {
		request, reply := source.Get()
		return connload.Open(at, visitors, connload.Visit{Request: request, Reply: reply, Resume: resume})
	}
	return t.cell(o, name)
}

// towardsServers is a load by clients that do not speak TLS, where the servers do.
func towardsServers(o *options, name string, p plain) *cell {
	return tlsCell{plain: p, what: "TLS towards servers, %v", names: []string{memverbs, memverbsStunnel}, build: (*stage).towardsServers}.cell(o, name)
}

// cell returns the cell.
func (t tlsCell) cell(o *options, name string) *cell {
	bars := []bar{{stunnelMemverbs, cpu, 1}, {stunnelMemcached, cpu, 1}, {memverbsStunnel, cpu, 1}}
	if o.changes != none {
		o.changes.apply(&t.plain)
		bars = nil
	}
	if t.open == nil {
		t.what = fmt.Sprintf(t.what, t.plain)
		t.open = func(at load.Target, source *load.Plain) (driver, error) { return load.Open(at, t.shape, source) }
	}
	return &cell{name: name, what: t.what, wrong: errors.Join(t.shape.Check(), t.mix.Check()),
		names: t.names, subject: memverbs, rivals: t.names[1:], bars: bars, keys: t.mix.GetKeys, set: t.set}
}

// set sets the stage and fills the servers.
func (t tlsCell) set(s *stage) (contestants []*contestant, err error) {
	servers, err := t.build(s)
	if err != nil {
		return nil, err
	}
	source := load.NewPlain(t.mix)
	for _, server := range servers[:len(t.names)] {
		if err := source.Preload(server.Target); err != nil {
			return nil, err
		}
		server.contestant.open = func() (driver, error) { return t.open(server.Target, source) }
		contestants = append(contestants, server.contestant)
	}
	return contestants, nil
}
