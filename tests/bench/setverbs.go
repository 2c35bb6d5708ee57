//go:build linux

package main

import (
	"github.com/memverbs/memverbs/tests/bench/clients"
	"github.com/memverbs/memverbs/tests/bench/load"
	"github.com/memverbs/memverbs/tests/bench/verbload"
)

// asks returns the requests that ask about sets, of memverbs and of Valkey.
func asks(verb clients.Verb, s verbload.Sets) (ours, valkeys func() load.Source) {
	if verb == clients.Scard {
		return s.Scard, s.ValkeyScard
	}
	return s.Sismember, s.ValkeySismember
}

// askSet is a question about a large set that nobody changes. It is compared with
// reading the whole set, too.
func askSet(o *options, verb clients.Verb) *cell {
	s := largeSet
	ours, valkeys := asks(verb, s)
	v := verbCell{name: string(verb), what: string(verb) + ", 50 connections, one set of 10 000", conns: 50, pipeline: 1, acts: []act{
		{name: memverbs, ready: after(s.FillVerbs, ours)},
		{name: valkey, ready: after(s.ValkeyFill, valkeys)},
		work(verb, s),
		{name: smembers, ready: after(s.FillVerbs, s.Smembers)},
	}}
	return v.cell(o, bar{valkey, requests, 0.5}, bar{smembers, requests, 1})
}

// askChanging is a question about a large set to which members are added meanwhile. The
// set has these members already, so that replies are known.
func askChanging(o *options, verb clients.Verb) *cell {
	s := largeSet
	ours, valkeys := asks(verb, s)
	v := verbCell{name: string(verb) + "-sadd", what: string(verb) + " of the same, one sadd to ten of them", conns: 50, pipeline: 1, acts: []act{
		{name: memverbs, ready: after(s.FillVerbs, func() load.Source { return verbload.Mixed(ours(), s.Sadd(), 10, 1) })},
		{name: valkey, ready: after(s.ValkeyFill, func() load.Source { return verbload.Mixed(valkeys(), s.ValkeySadd(), 10, 1) })},
	}}
	return fewRounds(v.cell(o, bar{valkey, requests, 0.25}))
}

// askHuge is a question about a set that is a hundred times as large. Even if each
// answer takes a tenth of a second, a turn of full length has enough of them, and more
// connections would only make the turn end later.
func askHuge(o *options) *cell {
	huge, large := hugeSet, largeSet
	v := verbCell{name: "sismember-million", what: "sismember, 10 connections, one set of 1 000 000", conns: 10, pipeline: 1, acts: []act{
		{name: memverbs, ready: after(huge.FillVerbs, huge.Sismember)},
		{name: smaller, ready: after(large.FillVerbs, large.Sismember)},
	}}
	c := v.cell(o, bar{smaller, requests, 0.4})
	c.brief = false
	return fewRounds(c)
}

// popAndAdd is taking members out of a set through two proxies at the same time. So that
// the set does not get empty, as many are added, from a pool so large that the set has
// hardly any of them already.
func popAndAdd(o *options) *cell {
	s := largeSet
	s.Pool = 100_000
	v := verbCell{name: "spop", what: "spop and as many sadd, 2 memverbs × 16 connections, one set of 10 000", proxies: 2, conns: 32, pipeline: 1, acts: []act{
		{name: memverbs, ready: after(s.FillVerbs, func() load.Source { return verbload.Mixed(s.Spop(), s.Sadd(), 1, 1) })},
		{name: valkey, ready: after(s.ValkeyFill, func() load.Source { return verbload.Mixed(s.ValkeySpop(), s.ValkeySadd(), 1, 1) })},
	}}
	return fewRounds(v.cell(o))
}

// askOnline asks how many of a million members are online, while others come for some seconds and expire. It is
// compared with the same where nobody expires.
func askOnline(o *options) *cell {
	s := verbload.Online{Sets: hugeSet}
	s.Pool += s.Pool / 10
	v := verbCell{name: "scard-online", what: "scard of 1 000 000 members that expire, one saddp to ten of them, 10 connections", conns: 10, pipeline: 1, acts: []act{
		{name: memverbs, ready: after(s.Fill, func() load.Source { return verbload.Mixed(s.Scard(), s.Saddp(), 10, 1) })},
		{name: everlasting, ready: after(s.FillVerbs, func() load.Source { return verbload.Mixed(s.Scard(), s.Sadd(), 10, 1) })},
	}}
	c := v.cell(o, bar{everlasting, requests, 0.4})
	c.brief = false
	return fewRounds(c)
}
