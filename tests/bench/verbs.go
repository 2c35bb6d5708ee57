//go:build linux

package main

import (
	"fmt"
	"time"

	"github.com/memverbs/memverbs/tests/bench/clients"
	"github.com/memverbs/memverbs/tests/bench/verbload"
)

// What the verbs work on. Every turn begins with the same, since the servers are
// emptied and filled again before it. Members to add are drawn from a pool, so that
// no set gets large during a turn.
var (
	manySets  = verbload.Sets{Keys: 100_000, Members: 10, Pool: 100}
	oneSet    = verbload.Sets{Keys: 1, Members: 1000, Pool: 1000}
	largeSets = verbload.Sets{Keys: 8, Members: 10_000, Pool: 10_000}
	largeSet  = verbload.Sets{Keys: 1, Members: 10_000, Pool: 10_000}
	hugeSet   = verbload.Sets{Keys: 1, Members: 1_000_000, Pool: 1_000_000}
	freshLogs = verbload.Logs{Keys: 1000, Size: 200}
	pastLogs  = verbload.Logs{Keys: 8, Size: 200, Events: 1000, Span: time.Minute}
)

// verbs is the loads of sets and logs: memverbs beside Valkey, which has such
// commands of its own, and beside the article's algorithm in clients. Everywhere
// contestants come in the same order, so that charts give them the same colours.
func verbs(o *options) *part {
	return &part{
		name: "verbs", title: "Verbs", text: verbsText,
		table: verbTable, detail: true, drawn: []column{requests, whole}, unit: memverbs,
		cells: []*cell{
			addToMany(o, 1), addToMany(o, 16), addToOne(o),
			readSets(o), askSet(o, clients.Sismember), askSet(o, clients.Scard),
			askChanging(o, clients.Sismember), askChanging(o, clients.Scard), askHuge(o), askOnline(o), popAndAdd(o),
			putEvents(o), fetchEvents(o),
		},
	}
}

const verbsText = `memverbs beside its rivals: medians, the median of the rounds' ratios, their spread, and the bar. All time is what the
processors spend per request on the contestant and on the memcacheds behind it; Valkey has no proxy, so this is what to
compare.

- valkey: one process, nothing saved to disk. Its streams are not trimmed.
- append: the plain command through memverbs, of what the verb would write, to items that exist. No verb that writes through
  a proxy can be faster.
- article: the algorithm of "Maintaining a set in memcached" in clients (gomemcache), each with a connection of its own.
  A client waits for every reply, so it pipelines nothing, also where others do. The clients' processor time counts as the
  contestant's, and includes what making the load costs; for the others that is told apart.
- smembers: memverbs, asked for all members instead of about them.
- of 10 000: memverbs, asked the same about a set of 10 000 members.
- What sadd adds while a set is asked about is there already, so that replies are known: memverbs writes it down again, Valkey
  finds it and changes nothing.
- article on one set: its item gets longer until it is full; the turns begin with one that is half full.`

// addToMany is adding a member to one of many sets.
func addToMany(o *options, pipeline int) *cell {
	v := verbCell{name: "sadd", what: "sadd, 50 connections, unpipelined, 100 000 sets", conns: 50, pipeline: pipeline}
	if pipeline > 1 {
		v.name, v.what = "sadd-pipelined", fmt.Sprintf("sadd, 50 connections, %d pipelined, 100 000 sets", pipeline)
	}
	s := manySets
	v.acts = []act{
		{name: memverbs, ready: after(s.FillItems, s.Sadd)},
		{name: valkey, ready: after(s.ValkeyFill, s.ValkeySadd)},
		work(clients.Sadd, s),
		{name: appends, ready: after(s.FillItems, s.Append)},
	}
	return v.cell(o, bar{appends, requests, 0.9}, bar{article, requests, 1.3})
}

// addToOne is adding members to a single set, on all connections.
//
// memverbs compacts the set many times a turn. Clients without a proxy hardly ever
// succeed in replacing the item by its compacted form, since another client has
// appended something meanwhile, until the item is full and none can. So the item grows
// to 1 MB and shrinks again, and the longer it is, the longer an append takes. Since
// that takes seconds, the clients' turns begin with a half-full item. (With -seconds 20,
// a turn shows all of it.)
func addToOne(o *options) *cell {
	s, worn := oneSet, oneSet
	worn.Worn = 512 << 10
	v := verbCell{name: "sadd-one", what: "sadd, 50 connections, one set of 1000", conns: 50, pipeline: 1, acts: []act{
		{name: memverbs, ready: after(s.FillItems, s.Sadd)},
		{name: valkey, ready: after(s.ValkeyFill, s.ValkeySadd)},
		work(clients.Sadd, worn),
	}}
	return v.cell(o, bar{article, requests, 3})
}

// readSets is reading large sets.
func readSets(o *options) *cell {
	s := largeSets
	v := verbCell{name: "smembers", what: "smembers, 10 connections, sets of 10 000 members of 10 B", conns: 10, pipeline: 1, acts: []act{
		{name: memverbs, ready: after(s.FillVerbs, s.Smembers)},
		{name: valkey, ready: s.ValkeySmembers},
		work(clients.Smembers, s),
	}}
	return v.cell(o, bar{valkey, requests, 6}, bar{article, requests, 5})
}

// putEvents is putting events into logs that are empty in the beginning.
func putEvents(o *options) *cell {
	l := freshLogs
	v := verbCell{name: "logput", what: "logput, 50 connections, 1000 logs, events of 200 B; XADD", conns: 50, pipeline: 1, acts: []act{
		{name: memverbs, ready: after(verbload.Flush, l.Logput)},
		{name: valkey, ready: after(verbload.ValkeyFlush, l.ValkeyXadd)},
		{name: appends, ready: after(l.FillItems, l.Append)},
	}}
	return v.cell(o, bar{valkey, requests, 0.65}, bar{appends, requests, 0.9})
}

// fetchEvents is reading whole logs.
func fetchEvents(o *options) *cell {
	l := pastLogs
	v := verbCell{name: "logfetch", what: "logfetch, 10 connections, 1000 events of 200 B over a minute; XRANGE", conns: 10, pipeline: 1, acts: []act{
		{name: memverbs, ready: l.Logfetch},
		{name: valkey, ready: l.ValkeyXrange},
	}}
	return v.cell(o, bar{valkey, requests, 0.8})
}
