//go:build linux

package main

import (
	"fmt"
	"strconv"

	"github.com/memverbs/memverbs/tests/bench/clients"
	"github.com/memverbs/memverbs/tests/bench/load"
	"github.com/memverbs/memverbs/tests/bench/verbload"
)

// What the verbs on lists work on. Elements have 10 bytes.
var (
	manyLists = verbload.Lists{Keys: 100_000, Elements: 10, Pool: 100}
	queue     = verbload.Lists{Keys: 1, Elements: 1000, Pool: 100}
	longer    = verbload.Lists{Keys: 1, Elements: 3000, Pool: 100}
	longQueue = verbload.Lists{Keys: 1, Elements: 10_000, Pool: 100}
)

// workOnLists is the work of clients that keep lists in memcached without a proxy.
func workOnLists(verb clients.Verb, l verbload.Lists) act {
	return act{name: simple, job: &clients.Job{Verb: verb, Lists: l}, fill: l.FillPlain}
}

// pushing is adding an element to one of many lists.
func pushing() deed {
	l := manyLists
	return deed{
		name: "rpush", what: "rpush to 100 000 lists", conns: 50,
		ours:    after(l.FillItems, func() load.Source { return l.Rpush(1) }),
		valkeys: after(l.ValkeyFill, func() load.Source { return l.ValkeyRpush(1) }),
		clients: workOnLists(clients.Rpush, l),

		memcacheds: after(l.FillItems, l.Append),
		proxies:    after(l.SetItems, l.Append),

		besideValkey: 0.65, besideClients: 0.6,
	}
}

// ranging is reading lists of so many elements, which takes clients without a proxy one round trip as well.
func ranging(elements, conns int) deed {
	l := verbload.Lists{Keys: max(8, 10_000/elements), Elements: elements, Pool: elements}
	d := deed{
		name: fmt.Sprintf("lrange-%d", elements), what: "lrange of " + thousands(elements), conns: conns,
		ours:    after(l.FillVerbs, l.Lrange),
		valkeys: after(l.ValkeyFill, l.ValkeyLrange),
		clients: workOnLists(clients.Lrange, l),

		besideClients: 0.6,
	}
	if elements >= 10_000 {
		d.besideValkey = 2
	}
	return d
}

// thousands returns a number with a space before its thousands, if it has more than four digits.
func thousands(n int) string {
	if n < 10_000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%d %03d", n/1000, n%1000)
}

// popping is taking elements out of one list. After ten batches of requests, one pushes as many
// elements as these ten have taken, so that the list does not get empty.
func popping(l verbload.Lists, pipeline int) deed {
	n := clients.PopsPerPush
	return deed{
		name: "lpop", what: "lpop of one list of " + thousands(l.Elements), conns: 50,
		ours:    after(l.FillVerbs, func() load.Source { return verbload.Mixed(l.Lpop(), l.Rpush(n), n, pipeline) }),
		valkeys: after(l.ValkeyFill, func() load.Source { return verbload.Mixed(l.ValkeyLpop(), l.ValkeyRpush(n), n, pipeline) }),
		clients: workOnLists(clients.Lpop, l),

		besideValkey: 0.3, besideClients: 3,
	}
}

// popBesidePush is taking elements out of a list through one proxy, while other clients push to it
// through another one as fast as they can. They push two at a time, so that the list does
// not get empty: Valkey pops as fast as it pushes.
func popBesidePush(o *options) *cell {
	l := longQueue
	v := verbCell{name: "lpop-rpush", what: "lpop of one list, 16 connections, beside 16 × rpush through another memverbs", proxies: 2, conns: 32, pipeline: 1, acts: []act{
		{name: memverbs, ready: after(l.FillVerbs, l.Lpop), meanwhile: func() load.Source { return l.Rpush(2) }},
	}}
	return fewRounds(v.cell(o, bar{itself, requests, 500}, bar{itself, failed, 0}))
}

// What the verbs work on whose elements are data, of 300 bytes.
var (
	manyFeeds = verbload.Posts{Keys: 10_000, Elements: 1, Pool: 100, Size: 300}
	feed      = verbload.Posts{Keys: 1, Elements: 1000, Pool: 100, Size: 300}
)

// putting is adding an element with data to one of many lists.
func putting() deed {
	p := manyFeeds
	return deed{
		name: "rput", what: "rput of 300 B to 10 000 lists", conns: 50,
		ours:    after(p.FillVerbs, p.Rput),
		valkeys: after(p.ValkeyFill, p.ValkeyRpush),

		besideValkey: 0.6,
		close:        true,
	}
}

// poppingData is taking elements with data out of one list, to which as many are pushed.
func poppingData(pipeline int) deed {
	p := feed
	return deed{
		name: "lpop-data", what: "lpop of one list of 1000 × 300 B, and as many rput", conns: 50,
		ours:    after(p.FillVerbs, func() load.Source { return verbload.Mixed(p.Lpop(), p.Rput(), 1, pipeline) }),
		valkeys: after(p.ValkeyFill, func() load.Source { return verbload.Mixed(p.ValkeyLpop(), p.ValkeyRpush(), 1, pipeline) }),

		besideValkey: 0.5,
		close:        true,
	}
}
