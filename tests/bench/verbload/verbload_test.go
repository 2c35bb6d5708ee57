//go:build linux

package verbload_test

import (
	"os"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/bench/load"
	"github.com/memverbs/memverbs/tests/bench/verbload"
	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/spawn"
)

// run puts a target under load until it has answered something. Each reply is
// compared.
func run(t *testing.T, target load.Target, source load.Source) {
	t.Helper()
	for _, pipeline := range []int{1, 3} {
		var n load.Count
		for length := 50 * time.Millisecond; n.Requests == 0; length *= 2 {
			if length > harness.Patience {
				t.Fatal("no request was answered")
			}
			n = runFor(t, target, source, pipeline, length)
		}
		if n.Failed > 0 {
			t.Errorf("%d of %d requests were refused", n.Failed, n.Requests)
		}
	}
}

func runFor(t *testing.T, target load.Target, source load.Source, pipeline int, length time.Duration) load.Count {
	t.Helper()
	g, err := load.Open(target, load.Shape{Conns: 2, Pipeline: pipeline, Threads: 2}, source)
	must(t, err)
	defer g.Close()
	now := load.Now()
	n, err := g.Run(load.Window{From: now, Until: now + int64(length)})
	must(t, err)
	return n
}

var (
	small = verbload.Sets{Keys: 100, Members: 10, Pool: 100}
	large = verbload.Sets{Keys: 2, Members: 6000, Pool: 6000} // more than fits in a head
	empty = verbload.Logs{Keys: 100, Size: 200}
	lists = verbload.Lists{Keys: 100, Elements: 10, Pool: 20}
	queue = verbload.Lists{Keys: 1, Elements: 6000, Pool: 20}
	rows  = verbload.Tables{Keys: 5, Rows: 20, Size: 100}
	many  = verbload.Rankings{Keys: 20, Members: 50}
	long  = verbload.Rankings{Keys: 2, Members: 6000}
	locks = verbload.Locks{Names: 1000}
	past  = verbload.Logs{Keys: 2, Size: 200, Events: 1000, Span: time.Minute}
)

func TestMemverbs(t *testing.T) {
	store := harness.StartStore(t, "memcached-1.6.38")
	target := load.Target{Network: "tcp", Addr: store.Addr}

	must(t, small.FillItems(target))
	run(t, target, small.Smembers())
	run(t, target, small.Sadd())
	must(t, small.FillItems(target))
	run(t, target, small.Smembers()) // as if nothing had been added
	run(t, target, small.Append())
	run(t, target, small.Sismember())

	worn := small
	worn.Worn = 10_000
	must(t, worn.FillItems(target))
	run(t, target, worn.Smembers())

	must(t, large.FillVerbs(target))
	run(t, target, large.Smembers())
	run(t, target, large.Sismember())
	run(t, target, large.Scard())
	run(t, target, verbload.Mixed(large.Scard(), large.Sadd(), 10, 1))
	run(t, target, verbload.Mixed(large.Spop(), large.Sadd(), 1, 1))

	must(t, verbload.Flush(target))
	run(t, target, empty.Logput())
	must(t, empty.FillItems(target))
	run(t, target, empty.Append())
	logfetch, err := past.Logfetch(target)
	must(t, err)
	run(t, target, logfetch)

	must(t, lists.FillItems(target))
	run(t, target, lists.Lrange())
	run(t, target, lists.Rpush(1))
	must(t, queue.FillVerbs(target))
	run(t, target, queue.Lrange())
	run(t, target, verbload.Mixed(queue.Lpop(), queue.Rpush(10), 10, 1))

	must(t, rows.FillVerbs(target))
	run(t, target, rows.Hset())
	run(t, target, rows.Hget())
	run(t, target, rows.Hgetall())

	must(t, many.FillItems(target))
	run(t, target, many.Zget())
	run(t, target, many.Zrevrange(3))
	one := many
	one.Keys = 1
	run(t, target, one.Zbyscore(7))
	run(t, target, one.Zaround(3))
	run(t, target, many.Zadd())
	run(t, target, many.Zinc())
	run(t, target, many.Zincrby())
	run(t, target, many.Zincrbyp(1))
	must(t, long.FillVerbs(target))
	run(t, target, long.Zget())
	run(t, target, long.Zrevrange(10))

	run(t, target, locks.Pairs())
}

// The plain commands leave in a memcached what verbs leave there, and what verbs understand.
func TestBare(t *testing.T) {
	memcached := harness.StartMemcached(t, "1.6.38")
	directly := load.Target{Network: "tcp", Addr: memcached.Addr}
	target := load.Target{Network: "tcp", Addr: harness.StartMemverbs(t, "--upstream", memcached.Addr).Addr}

	must(t, lists.SetItems(directly))
	run(t, target, lists.Lrange())
	run(t, directly, lists.Append())
	run(t, target, lists.Rpush(1))

	must(t, rows.FillBare(directly))
	run(t, target, rows.Hget())
	run(t, directly, rows.RowAndAnchor())
	run(t, directly, rows.SetRowAndAppend())
	run(t, target, rows.Hget())

	must(t, many.FillItems(directly))
	run(t, directly, many.Append())
	run(t, target, many.Zget()) // as before

	run(t, directly, locks.BarePairs())
	run(t, target, locks.Pairs())
}

func TestValkey(t *testing.T) {
	target := startValkey(t)

	must(t, small.ValkeyFill(target))
	run(t, target, small.ValkeySadd())
	run(t, target, small.ValkeySismember())

	smembers, err := large.ValkeySmembers(target)
	must(t, err)
	run(t, target, smembers)
	run(t, target, large.ValkeyScard())
	run(t, target, verbload.Mixed(large.ValkeyScard(), large.ValkeySadd(), 10, 1))
	run(t, target, verbload.Mixed(large.ValkeySpop(), large.ValkeySadd(), 1, 1))

	must(t, verbload.ValkeyFlush(target))
	run(t, target, empty.ValkeyXadd())
	xrange, err := past.ValkeyXrange(target)
	must(t, err)
	run(t, target, xrange)

	must(t, lists.ValkeyFill(target))
	run(t, target, lists.ValkeyLrange())
	run(t, target, lists.ValkeyRpush(2))
	must(t, queue.ValkeyFill(target))
	run(t, target, queue.ValkeyLrange())
	run(t, target, verbload.Mixed(queue.ValkeyLpop(), queue.ValkeyRpush(10), 10, 1))

	must(t, rows.ValkeyFill(target))
	run(t, target, rows.ValkeyHset())
	run(t, target, rows.ValkeyHget())
	hgetall, err := rows.ValkeyHgetall(target)
	must(t, err)
	run(t, target, hgetall)

	must(t, many.ValkeyFill(target))
	run(t, target, many.ValkeyZscore())
	run(t, target, many.ValkeyZrevrange(3))
	run(t, target, many.ValkeyZadd())
	run(t, target, many.ValkeyZincrby())
	run(t, target, many.ValkeyZincrbyp(1))
	must(t, long.ValkeyFill(target))
	run(t, target, long.ValkeyZscore())
	run(t, target, long.ValkeyZrevrange(10))

	run(t, target, locks.ValkeyPairs())
}

// startValkey starts the Valkey that tests/fetch-valkey.sh has fetched.
func startValkey(t *testing.T) load.Target {
	t.Helper()
	const path = "../../../.cache/valkey/valkey-server"
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("there is no Valkey to test against; run \"make test\", which fetches it (%v)", err)
	}
	socket := t.TempDir() + "/valkey.sock"
	valkey, err := spawn.Start("valkey", path, "--port", "0", "--unixsocket", socket, "--save", "")
	must(t, err)
	t.Cleanup(valkey.Kill)
	target := load.Target{Network: "unix", Addr: socket}
	harness.Await(t, "Valkey to answer", func() bool { return verbload.ValkeyFlush(target) == nil || !valkey.Running() })
	return target
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
