//go:build linux

package main

import (
	"errors"
	"strings"

	"github.com/memverbs/memverbs/tests/bench/verbload"
)

// ranked is a server that keeps rankings in its own memory.
const ranked = "ranked"

// besideRanked is the loads of rankings beside ranked, whose verbs these are. It has to be built by
// hand, see the README.
func besideRanked(o *options) *part {
	p := &part{
		name: ranked, title: "Rankings beside ranked", text: rankedText, apart: true,
		table: verbTable, detail: true, drawn: []column{requests, whole}, unit: memverbs,
	}
	r := largeRanking
	for _, d := range []struct {
		verb         string
		ours, theirs onRankings
	}{
		{"zadd", verbload.Rankings.Zadd, verbload.Rankings.RankedZadd},
		{"zincrby", verbload.Rankings.Zincrby, verbload.Rankings.RankedZincrby},
		{"zget", verbload.Rankings.Zget, verbload.Rankings.RankedZget},
		{"zrevrange", best(verbload.Rankings.Zrevrange), best(verbload.Rankings.RankedZrevrange)},
	} {
		v := verbCell{name: d.verb + "-ranked", what: d.verb + " of one ranking of 100 000, 1 connection, unpipelined", conns: 1, pipeline: 1, acts: []act{
			{name: memverbs, ready: after(r.FillVerbs, d.ours.of(r))},
			{name: ranked, ready: after(r.RankedFill, d.theirs.of(r))},
		}}
		c := fewRounds(v.cell(o))
		if o.ranked == "" {
			c.wrong = errors.New("-ranked must say where ranked is")
		}
		p.cells = append(p.cells, c)
	}
	return p
}

const rankedText = `memverbs beside ranked, for its speed only. ranked takes commands over HTTP, answers from its own memory, which nothing
guards, and so serves one connection at a time. After zincrby it keeps the old place of a member, too.`

// ranked starts ranked.
func (s *stage) ranked() (*server, error) {
	at, err := s.target("tcp")
	if err != nil {
		return nil, err
	}
	host, port, _ := strings.Cut(at.Addr, ":")
	return s.startAsking(string(verbload.RankedPost("flushall")), string(verbload.RankedReply(0)), ranked, at, s.options.ranked, host, port)
}
