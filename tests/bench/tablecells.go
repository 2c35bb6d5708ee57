//go:build linux

package main

import (
	"github.com/memverbs/memverbs/tests/bench/clients"
	"github.com/memverbs/memverbs/tests/bench/verbload"
)

// What the verbs on tables work on.
var (
	smallTables = verbload.Tables{Keys: 1000, Rows: 10, Size: 100}
	largeTables = verbload.Tables{Keys: 100, Rows: 100, Size: 100}
)

// workOnTables is the work of clients that keep tables in memcached without a proxy.
func workOnTables(verb clients.Verb, t verbload.Tables) act {
	return act{name: simple, job: &clients.Job{Verb: verb, Tables: t}, fill: t.FillPlain}
}

// settingRow is setting a row that is there, which takes clients without a proxy one round trip.
func settingRow() deed {
	t := smallTables
	return deed{
		name: "hset", what: "hset of 100 B in 1000 tables of 10 rows", conns: 50,
		ours:    after(t.FillVerbs, t.Hset),
		valkeys: after(t.ValkeyFill, t.ValkeyHset),
		clients: workOnTables(clients.Hset, t),

		memcacheds: after(t.FillBare, t.SetRowAndAppend),

		besideValkey: 0.3, besideClients: 0.6,
	}
}

// gettingRow is reading a row, which takes clients without a proxy one round trip.
func gettingRow() deed {
	t := smallTables
	return deed{
		name: "hget", what: "hget of 100 B in 1000 tables of 10 rows", conns: 50,
		ours:    after(t.FillVerbs, t.Hget),
		valkeys: after(t.ValkeyFill, t.ValkeyHget),
		clients: workOnTables(clients.Hget, t),

		memcacheds: after(t.FillBare, t.RowAndAnchor),

		besideValkey: 0.5, besideClients: 0.6,
	}
}

// gettingRows is reading a whole table, which takes clients without a proxy two round trips.
func gettingRows() deed {
	t := largeTables
	return deed{
		name: "hgetall", what: "hgetall of 100 rows of 100 B", conns: 50,
		ours:    after(t.FillVerbs, t.Hgetall),
		valkeys: t.ValkeyHgetall,
		clients: workOnTables(clients.Hgetall, t),

		besideClients: 1,
	}
}
