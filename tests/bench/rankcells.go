//go:build linux

package main

import (
	"math/rand/v2"

	"github.com/memverbs/memverbs/tests/bench/load"
	"github.com/memverbs/memverbs/tests/bench/verbload"
)

// What the verbs on rankings work on. Members have 10 bytes, scores 10 digits.
var (
	manyRankings = verbload.Rankings{Keys: 1000, Members: 100}
	largeRanking = verbload.Rankings{Keys: 1, Members: 100_000}
	smallRanking = verbload.Rankings{Keys: 1, Members: 1000}
	hugeRanking  = verbload.Rankings{Keys: 1, Members: 1_000_000}
)

// rankings is the loads of rankings: memverbs beside Valkey.
func rankings(o *options) *part {
	p := &part{
		name: "rankings", title: "Rankings", text: rankingsText, apart: true,
		table: verbTable, detail: true, drawn: []column{requests, whole}, unit: memverbs,
	}
	setting := change{"zadd", 0.65, verbload.Rankings.Zadd, verbload.Rankings.ValkeyZadd}
	counting := change{"zinc", 0.65, verbload.Rankings.Zinc, verbload.Rankings.ValkeyZincrby}
	summing := change{"zincrby", 0.3, verbload.Rankings.Zincrby, verbload.Rankings.ValkeyZincrby}
	settingMany := setting.inMany()
	settingMany.memcacheds = after(manyRankings.FillItems, manyRankings.Append)
	for _, d := range []struct {
		deed
		pipelined float64 // the bar beside Valkey
	}{
		{setting.inOne(), 0.8},
		{settingMany, 0.8},
		{counting.inOne(), 0.8},
		{counting.inMany(), 0.8},
		{summing.inOne(), 0.3},
		{summing.inMany(), 0.3},
		{countingForSecond(), 1},
		{asking("zget", verbload.Rankings.Zget, verbload.Rankings.ValkeyZscore), 0.5},
		{asking("zrevrange", best(verbload.Rankings.Zrevrange), best(verbload.Rankings.ValkeyZrevrange)), 0.5},
	} {
		unpipelined := d.deed.cell(o, 1)
		d.besideValkey = d.pipelined
		p.cells = append(p.cells, unpipelined, d.deed.cell(o, 16))
	}
	p.cells = append(p.cells,
		askInside(o, "zbyscore", func(r verbload.Rankings) load.Source { return r.Zbyscore(11) }),
		askInside(o, "zaround", func(r verbload.Rankings) load.Source { return r.Zaround(5) }))
	return p
}

const rankingsText = `memverbs beside Valkey, told as in the table of the verbs. Beside zadd there is also one memcached, asked directly for the
append that it is translated to.

- zadd sets scores to others. zinc adds 1, and zincrby also answers with the new score. Valkey's ZINCRBY always does, so it is
  beside both.
- One ranking is changed by all connections at once: memverbs joins appends that wait for each other. It also rewrites the
  ranking all the time.
- zincrbyp adds 1 for a second. Beside it is a script of Valkey, which is loaded before: it adds 1, notes in a second sorted
  set when that expires, and undoes up to three increments that have expired. Scores that nobody adds to stay too high there.
- zrevrange is asked for the ten members with the highest scores, and for these.
- zbyscore and zaround are asked for eleven members in a row and their scores, at a thousand places of a ranking that memverbs
  has read before. Beside a ranking of a million is one of a thousand.`

// onRankings is a load of rankings.
type onRankings func(verbload.Rankings) load.Source

// of returns the load of r.
func (f onRankings) of(r verbload.Rankings) func() load.Source {
	return func() load.Source { return f(r) }
}

// change is changing the score of a member that is there.
type change struct {
	verb          string
	bar           float64 // beside Valkey, unpipelined
	ours, valkeys onRankings
}

// inMany is the change in one of many rankings.
func (c change) inMany() deed {
	r := manyRankings
	return deed{
		name: c.verb + "-many", what: c.verb + " to 1000 rankings of 100", conns: 50,
		ours:    after(r.FillItems, c.ours.of(r)),
		valkeys: after(r.ValkeyFill, c.valkeys.of(r)),

		besideValkey: c.bar,
	}
}

// inOne is the change in one large ranking.
func (c change) inOne() deed {
	r := largeRanking
	return deed{
		name: c.verb, what: c.verb + " to one ranking of 100 000", conns: 50,
		ours:    after(r.FillVerbs, c.ours.of(r)),
		valkeys: after(r.ValkeyFill, c.valkeys.of(r)),

		besideValkey: c.bar,
	}
}

// countingForSecond is adding to scores for a second, the shortest time possible, so that as many
// increments expire during a turn as are added.
func countingForSecond() deed {
	const seconds = 1
	d := change{"zincrbyp", 1,
		func(r verbload.Rankings) load.Source { return r.Zincrbyp(seconds) },
		func(r verbload.Rankings) load.Source { return r.ValkeyZincrbyp(seconds) },
	}.inMany()
	d.name, d.what = "zincrbyp", d.what+" for a second"
	return d
}

// asking is reading from a ranking that nobody changes.
func asking(verb string, ours, valkeys onRankings) deed {
	r := largeRanking
	return deed{
		name: verb, what: verb + " of 100 000", conns: 50,
		ours:    after(r.FillVerbs, ours.of(r)),
		valkeys: after(r.ValkeyFill, valkeys.of(r)),

		besideValkey: 0.5,
	}
}

// best makes a load that asks for the best ten members.
func best(f func(verbload.Rankings, int) load.Source) onRankings {
	return func(r verbload.Rankings) load.Source { return f(r, 10) }
}

// askInside is asking for some members anywhere in a ranking of a million that nobody changes, which memverbs has in order.
// It is compared with the same in one of a thousand. The cache is larger than by default, where the million, with scores of
// ten digits, take more than the half that one structure may take.
func askInside(o *options, verb string, ours onRankings) *cell {
	v := verbCell{name: verb + "-million", what: verb + " of 11, 10 connections, one ranking of 1 000 000", conns: 10, pipeline: 1, flags: []string{"--read-cache", "512MB"}, acts: []act{
		{name: memverbs, ready: known(after(hugeRanking.FillVerbs, ours.of(hugeRanking)))},
		{name: muchSmaller, ready: known(after(smallRanking.FillVerbs, ours.of(smallRanking)))},
	}}
	return fewRounds(v.cell(o, bar{muchSmaller, requests, 0.33}))
}

// known is a preparation after which memverbs has read what it is asked about so often that it has put it in order:
// on each of its loops, as far as some connections come to all of them.
func known(p preparation) preparation {
	const connections, times = 16, 4
	return func(t load.Target) (load.Source, error) {
		source, err := p(t)
		random := rand.NewPCG(1, 2)
		for n := 0; n < connections && err == nil; n++ {
			err = load.Fill(t, times, func(_ int, b *load.Batch) { source.Next(b, random) })
		}
		return source, err
	}
}
