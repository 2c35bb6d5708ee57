//go:build linux

package main

import (
	"github.com/memverbs/memverbs/tests/bench/clients"
	"github.com/memverbs/memverbs/tests/bench/verbload"
)

// manyLocks are so many locks that no two clients want the same one at a time.
var manyLocks = verbload.Locks{Names: 100_000}

// locking is taking a lock that is free, and releasing it. That takes clients without a proxy three
// round trips.
func locking() deed {
	l := manyLocks
	return deed{
		name: "lock", what: "lock and unlock", conns: 50,
		ours:    after(verbload.Flush, l.Pairs),
		valkeys: after(verbload.ValkeyFlush, l.ValkeyPairs),
		clients: act{name: simple, job: &clients.Job{Verb: clients.Lock, Locks: l}, fill: verbload.Flush},

		memcacheds: after(verbload.Flush, l.BarePairs),

		besideValkey: 0.3, besideClients: 1,
	}
}
