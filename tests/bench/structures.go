//go:build linux

package main

import (
	"fmt"
	"slices"
)

// structures is the loads of lists, tables and locks: memverbs beside Valkey and beside
// clients that do the same by themselves.
func structures(o *options) *part {
	p := &part{
		name: "structures", title: "Lists, tables and locks", text: structuresText, apart: true,
		table: verbTable, detail: true, drawn: []column{requests, whole}, unit: memverbs,
	}
	both := func(deeds ...deed) {
		for _, deed := range deeds {
			p.cells = append(p.cells, deed.cell(o, 1), deed.cell(o, 16))
		}
	}
	both(pushing(), ranging(100, 50), ranging(10_000, 4))
	p.cells = append(p.cells, popping(queue, 1).cell(o, 1), popping(longer, 16).cell(o, 16))
	both(putting())
	p.cells = append(p.cells, poppingData(1).cell(o, 1), poppingData(16).cell(o, 16))
	both(settingRow(), gettingRow(), gettingRows(), locking())
	p.cells = append(p.cells, popBesidePush(o))
	return p
}

const structuresText = `memverbs beside its rivals, told as in the table of the verbs. The bars are what a proxy that does the same
in as many round trips should reach.

- valkey: one process, nothing saved to disk. A lock is SET NX PX, and DELIFEQ to release it.
- clients: gomemcache, each client with a connection of its own. rpush is append; lrange is get; lpop is gets and cas of the
  whole list, until it succeeds; a row of a table is an item, so hset is set, hget is get, and hgetall is a get of an item
  with the names of all rows and a get of these; lock is add, unlock is get and delete. They pipeline nothing, so they are not
  beside what is pipelined. Their processor time includes what making the load costs.
- memcached: one server, asked directly for the operations that the verb is translated to. No proxy in front of it can be
  faster.
- nutcracker, memcached proxy: the append that rpush is translated to, through these.
- lpop: for ten of them one rpush of ten, which counts as one request, so that the list does not get empty. 16 that are
  pipelined are all the one or all the other, as workers pop and others push.
- lpop of elements with data: for each of them one rput, since that pushes one.
- lock: taking a free lock and releasing it counts as one request. The second is sent when the first is answered.
- lpop beside rpush: pops through one memverbs, and what others push through the other one is not counted. The bars are on
  memverbs' own figures, and refusals are those of all rounds.`

// deed is what is done to lists, tables, locks or rankings.
type deed struct {
	name, what    string
	conns         int
	ours, valkeys preparation
	memcacheds    preparation // the operations that the verb is translated to, for one memcached, if not nil
	proxies       preparation // the same for other proxies, if not nil
	clients       act         // if its job is not nil
	besideValkey  float64     // the bars on requests a second, 0 for none
	besideClients float64
	close         bool // to the bar, unpipelined: few rounds would tell nothing
}

// cell returns the cell in which so much of it is asked for at a time. Clients wait for
// every reply, so they are only in that of one.
func (d deed) cell(o *options, pipeline int) *cell {
	v := verbCell{name: d.name, conns: d.conns, pipeline: pipeline, acts: []act{
		{name: memverbs, ready: d.ours},
		{name: valkey, ready: d.valkeys},
	}}
	if d.memcacheds != nil {
		v.acts = append(v.acts, act{name: memcached, ready: d.memcacheds})
	}
	if d.proxies != nil {
		v.acts = append(v.acts, act{name: nutcracker, ready: d.proxies}, act{name: memcachedProxy, ready: d.proxies})
	}
	sent, bars := "unpipelined", []bar{{valkey, requests, d.besideValkey}}
	if pipeline > 1 {
		v.name += "-pipelined"
		sent = fmt.Sprintf("%d pipelined", pipeline)
	} else if d.clients.job != nil {
		v.acts = append(v.acts, d.clients)
		bars = append(bars, bar{simple, requests, d.besideClients})
	}
	v.what = fmt.Sprintf("%s, %d connections, %s", d.what, d.conns, sent)
	bars = slices.DeleteFunc(bars, func(b bar) bool { return b.limit == 0 })
	if d.close && pipeline == 1 {
		return manyRounds(v.cell(o, bars...))
	}
	return fewRounds(v.cell(o, bars...))
}
