//go:build linux

package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/memverbs/memverbs/tests/bench/load"
)

const (
	idleConns  = 1000
	idleRounds = 3
	// idleTime is how long a round takes with one contestant, as a first guess.
	idleTime = 4 * time.Second
)

// idleMemory is the memory of a connection with few requests, in kB, by contestant and round.
type idleMemory map[string][]float64

// tlsIdle is the memory of connections with TLS.
func tlsIdle(*options) *part {
	m := idleMemory{}
	c := &cell{name: "tls-idle", what: fmt.Sprintf("%d connections that each ask once a second", idleConns), names: tlsNames,
		alone: m.run, lasts: idleRounds * time.Duration(len(tlsNames)) * idleTime}
	return &part{
		name: "tls", title: "Memory of connections with TLS", text: tlsIdleText, apart: true,
		cells: []*cell{c}, table: func([]*cell) *table { return m.table() },
	}
}

const tlsIdleText = `By how much resident memory grows when 1000 clients connect, for each of them: median and spread of rounds with
fresh processes. Each asks for 100 B once a second. The memcacheds behind are not counted.`

// run measures all contestants in rounds, with fresh processes in each.
func (m idleMemory) run(s *stage, p *progress) error {
	clear(m)
	for round := range idleRounds {
		servers, err := s.withTLS()
		if err != nil {
			return errors.Join(err, s.said())
		}
		for i, server := range servers {
			grown, err := server.grows()
			if err != nil {
				return errors.Join(fmt.Errorf("%s: %w", tlsNames[i], err), s.said())
			}
			m[tlsNames[i]] = append(m[tlsNames[i]], grown/idleConns/1000)
			p.passed(idleTime)
			p.memory(tlsNames[i], round, grown/idleConns)
		}
		s.clear()
		s.servers = nil
	}
	return nil
}

// grows returns by how many bytes the memory of a contestant grows when clients connect.
func (t *tlsServer) grows() (float64, error) {
	source := load.NewPlain(load.Mix{Keys: 1, ValueSize: 100, GetKeys: 1})
	if err := source.Preload(t.Target); err != nil {
		return 0, err
	}
	before, err := residentOf(t.processes)
	if err != nil {
		return 0, err
	}
	g, err := load.Open(t.Target, load.Shape{Conns: idleConns, Pipeline: 1, Rate: idleConns, Threads: 1}, source)
	if err != nil {
		return 0, err
	}
	defer g.Close()
	now := load.Now()
	n, err := g.Run(load.Window{From: now, Until: now + int64(2*time.Second)})
	if err != nil {
		return 0, err
	}
	if n.Requests < idleConns {
		return 0, fmt.Errorf("%d requests were answered, fewer than there are connections", n.Requests)
	}
	after, err := residentOf(t.processes)
	return float64(after - before), err
}

// table has a row for each contestant.
func (m idleMemory) table() *table {
	t := &table{head: []string{"contestant", "kB per connection", "least–most"}}
	for _, name := range tlsNames {
		s := spreadOf(m[name])
		t.add(name, fmt.Sprintf("%.1f", s.median), fmt.Sprintf("%.1f–%.1f", s.least, s.most))
	}
	return t
}
