//go:build linux

package main

import (
	"fmt"

	"github.com/memverbs/memverbs/tests/bench/load"
	"github.com/memverbs/memverbs/tests/bench/verbload"
)

// nearFlags let memverbs answer gets of all keys, and what is asked about structures, for a second.
var nearFlags = []string{"--near", "=1s"}

// answersNear is hot keys whose values a memverbs may answer without their server, beside the same without that, and
// rankings and sets beside Valkey.
func answersNear(o *options) *part {
	ranking, set := largeRanking, largeSet
	value := load.NewPlain(load.Mix{Keys: 1, ValueSize: 100, GetKeys: 1})
	get := after(value.Preload, func() load.Source { return value })
	zrevrange := after(ranking.FillVerbs, best(verbload.Rankings.Zrevrange).of(ranking))
	sismember := after(set.FillVerbs, set.Sismember)
	all := []verbCell{
		{name: "near-get", what: "get of one key, 100 B", acts: []act{{name: memverbs, ready: get}, {name: withoutNear, ready: get}}},
		{name: "near-zrevrange", what: "zrevrange of the best ten of 100 000", acts: []act{
			{name: memverbs, ready: zrevrange}, {name: withoutNear, ready: zrevrange},
			{name: valkey, ready: after(ranking.ValkeyFill, best(verbload.Rankings.ValkeyZrevrange).of(ranking))}}},
		{name: "near-sismember", what: "sismember of one set of 10 000", acts: []act{
			{name: memverbs, ready: sismember}, {name: withoutNear, ready: sismember},
			{name: valkey, ready: after(set.ValkeyFill, set.ValkeySismember)}}},
	}
	bars := [][]bar{{{withoutNear, requests, 1.15}, {withoutNear, whole, 0.85}}, {{valkey, requests, 1}}, {{valkey, requests, 1}}}
	rates := map[string]map[string][]float64{}
	p := &part{name: "near", title: "Answers without their server", text: nearText, apart: true, detail: true}
	for i, v := range all {
		v.conns, v.pipeline, v.flags, v.rates = 50, 1, nearFlags, map[string][]float64{}
		rates[v.name] = v.rates
		p.cells = append(p.cells, manyRounds(v.cell(o, bars[i]...)))
	}
	p.table = func(cells []*cell) *table { return nearTable(cells, rates) }
	return p
}

const nearText = `50 connections ask for the same again and again. memverbs may answer with what it has found at most a second ago (near);
beside it is one that asks its memcacheds each time, and Valkey. All time is what the processors spend per request on the
contestant and on the memcacheds. Operations are those of the memcacheds in a second, which is how long an answer lasts.`

// nearTable has a row for each contestant.
func nearTable(cells []*cell, rates map[string]map[string][]float64) *table {
	t := &table{head: []string{"load", "contestant", "requests/s", "memverbs : it", "all µs", "memverbs : it", "p99 ms", "operations/s"}}
	for _, c := range cells {
		for i, name := range c.names {
			row := []string{c.rowTitle(i), name}
			for _, column := range []column{requests, whole} {
				verdict := ""
				if name != c.subject {
					verdict = c.verdict(name, column)
				}
				row = append(row, c.figure(name, column), verdict)
			}
			rate := "–"
			if all := rates[c.name][name]; len(all) > 0 {
				rate = fmt.Sprintf("%.0f", spreadOf(all).median)
			}
			t.add(append(row, c.figure(name, p99), rate)...)
		}
	}
	return t
}
