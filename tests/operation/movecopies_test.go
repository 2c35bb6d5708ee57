package operation

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/proxy/moving"
	"github.com/memverbs/memverbs/tests/harness"
)

// Structures stay where they are while plain keys move, also those of several items, and plain commands on them move nothing.
func TestStructuresStayWhileKeysMove(t *testing.T) {
	t.Parallel()
	stores := fourStores(t)
	s := startMoving(t, stores, 3, movesIn)
	set, table, tasks, plain := s.key(t, 3, 0, 4, 3, "set"), s.key(t, 3, 1, 4, 3, "table"), s.key(t, 3, 2, 4, 3, "tasks"), s.key(t, 3, 0, 4, 3, "plain")
	c := harness.Dial(t, s.Addr)
	c.Ask("sadd "+set+" a b\r\nset "+plain+" 0 0 1\r\np\r\n", "STORED\r\nSTORED\r\n")
	const rows = 100
	for i := range rows {
		c.Ask(fmt.Sprintf("hset %s f%d 0 0 1\r\n%d\r\ntaskput %s t%d 0 0 1\r\n%d\r\n", table, i, i%10, tasks, i, i%10), "STORED\r\nSTORED\r\n")
	}
	s.change(t, 4)
	awaitMove(t, func() bool { // meanwhile somebody looks at the items themselves
		c.Send("get " + set + " " + table + " " + tasks + "\r\n")
		c.Until("END")
		return s.moved() > 0
	})
	onlyAt(t, stores, 3, plain)
	onlyAt(t, stores, 0, set)
	onlyAt(t, stores, 1, table)
	onlyAt(t, stores, 2, tasks)
	awaitSettled(t, c, set)
	c.Ask("scard "+set+"\r\nhlen "+table+"\r\ntasklen "+tasks+"\r\n", fmt.Sprintf("2\r\n%d\r\n%d\r\n", rows, rows))
	for i := range rows {
		c.Ask(fmt.Sprintf("hget %s f%d\r\n", table, i), fmt.Sprintf("VALUE f%d 0 1\r\n%d\r\nEND\r\n", i, i%10))
	}
}

// What a server has of earlier times under keys that move to it is taken for nothing, and gone when the move has ended.
func TestItemsOfEarlierTimesDoNotComeBack(t *testing.T) {
	t.Parallel()
	stores := fourStores(t)
	leaves := harness.Dial(t, stores[3].Addr)
	connections := func() (n int) {
		leaves.Send("stats\r\n")
		for {
			line := leaves.Line()
			if line == "END" {
				return n
			}
			if value, is := strings.CutPrefix(line, "STAT curr_connections "); is {
				n, _ = strconv.Atoi(value)
			}
		}
	}
	alone := connections() // with one that has waited for its start and may not have ended yet
	s := startMoving(t, stores, 4, movesIn)
	c, old := harness.Dial(t, s.Addr), harness.Dial(t, stores[0].Addr)
	var with, without []string
	for i := range 20 {
		with = append(with, s.key(t, 4, 3, 3, 0, fmt.Sprintf("with%d.", i)))
		without = append(without, s.key(t, 4, 3, 3, 0, fmt.Sprintf("without%d.", i)))
		old.Ask(fmt.Sprintf("set %s 0 0 3\r\nold\r\nset %s 0 0 3\r\nold\r\n", with[i], without[i]), "STORED\r\nSTORED\r\n")
		c.Ask(fmt.Sprintf("set %s 0 0 3\r\nnew\r\n", with[i]), "STORED\r\n")
	}
	s.change(t, 3)
	asked := 0
	awaitMove(t, func() bool {
		i := asked % 10 // the others are left to the sweep
		asked++
		c.Ask(fmt.Sprintf("get %s\r\nget %s\r\nappend %s 0 0 1\r\nx\r\n", with[i], without[i], without[i]), "VALUE "+with[i]+" 0 3\r\nnew\r\nEND\r\nEND\r\nNOT_STORED\r\n")
		return s.moved() > 0
	})
	for i := range with {
		onlyAt(t, stores, 0, with[i])
		onlyAt(t, stores, -1, without[i])
	}
	harness.Await(t, "the server that has left to be left alone", func() bool { return connections() <= alone })
}

// The keys of a server that was removed, and is down, miss at once, whatever their new servers have of earlier times or of other proxies, which
// may be about to move an item there.
func TestKeysOfDeadServerMiss(t *testing.T) {
	t.Parallel()
	stores := fourStores(t)
	s := startMoving(t, stores, 4, "60s")
	earlier, reserved := s.key(t, 4, 3, 3, 0, "earlier"), s.key(t, 4, 3, 3, 0, "reserved")
	c, direct := harness.Dial(t, s.Addr), harness.Dial(t, stores[0].Addr)
	set := func(key, data string) string { return fmt.Sprintf("set %s 0 0 %d\r\n%s\r\n", key, len(data), data) }
	direct.Ask(set(earlier, "v"), "STORED\r\n")
	stores[3].Kill(t)
	s.change(t, 3)
	harness.Await(t, "the server to be given up", func() bool {
		c.Send("get " + earlier + "\r\n")
		line := c.Line()
		if strings.HasPrefix(line, "VALUE") {
			t.Fatalf("a value of earlier times is there: %s", line)
		}
		return line == "END"
	})
	direct.Ask(set(reserved, moving.Placeholder), "STORED\r\n")
	c.Ask(fmt.Sprintf("get %[1]s\r\nget %[1]s %[2]s\r\nappend %[1]s 0 0 1\r\nx\r\n", reserved, earlier), "END\r\nEND\r\nNOT_STORED\r\n")
	c.Ask(fmt.Sprintf("add %[1]s 0 0 1\r\nx\r\nget %[1]s\r\n", reserved), "STORED\r\nVALUE "+reserved+" 0 1\r\nx\r\nEND\r\n")
}

// A proxy that is started while keys move joins; and one that is started when the servers have changed moves the keys, as the servers
// tell which list was used before.
func TestStartedProxiesMoveKeys(t *testing.T) {
	t.Parallel()
	stores := fourStores(t)
	s := startMoving(t, stores, 3, movesIn)
	c := harness.Dial(t, s.Addr)
	var keys []string
	for i := range 30 {
		keys = append(keys, s.key(t, 3, i%3, 4, 3, fmt.Sprintf("k%d.", i)))
		c.Ask("set "+keys[i]+" 0 0 1\r\nv\r\n", "STORED\r\n")
	}
	c.Close()
	awaitRecord(t, stores[1])
	s.Stop(t)
	started, joined := startMoving(t, stores, 4, movesIn), startMoving(t, stores, 4, movesIn)
	for _, p := range []*settling{started, joined} {
		c := harness.Dial(t, p.Addr)
		for _, key := range keys {
			c.Ask("get "+key+"\r\n", "VALUE "+key+" 0 1\r\nv\r\nEND\r\n")
		}
	}
	started.awaitMoved(t, 1)
	joined.awaitMoved(t, 1)
	for _, key := range keys {
		onlyAt(t, stores, 3, key)
	}
}

// A pool that is new is warmed from the one that had the keys before, which is empty in the end. A proxy that is started later with the same
// settings leaves it at that.
func TestPoolIsWarmedFromAnother(t *testing.T) {
	t.Parallel()
	stores := fourStores(t)
	before := startMoving(t, stores, 2, movesIn)
	c := harness.Dial(t, before.Addr)
	const keys = 300
	for i := range keys {
		c.Ask(fmt.Sprintf("set k%d 7 3600 1\r\nv\r\n", i), "STORED\r\n")
	}
	addr := harness.FreeAddr(t)
	file := filepath.Join(t.TempDir(), "memverbs.yml")
	list := before.list(4)
	writeText(t, file, fmt.Sprintf("loops: 2\npools:\n  old:\n    servers: [%s, %s]\n  new:\n    listen: [%q]\n    servers: [%s, %s]\n    layout: jump\n    warm-from: old\n    settle: %s\n", list[0], list[1], addr, list[2], list[3], movesIn))
	p := harness.StartMemverbsWith(t, file, addr)
	c = harness.Dial(t, p.Addr)
	for i := range keys {
		if i%2 == 0 {
			c.Ask(fmt.Sprintf("get k%d\r\n", i), fmt.Sprintf("VALUE k%d 7 1\r\nv\r\nEND\r\n", i))
		}
	}
	c.Ask("set k1 0 0 1\r\nw\r\ndelete k3\r\n", "STORED\r\nDELETED\r\n")
	awaitMove(t, func() bool { return strings.Contains(p.Log(), "plain keys have moved") })
	for i := range keys {
		want := fmt.Sprintf("VALUE k%d 7 1\r\nv\r\nEND\r\n", i)
		switch i {
		case 1:
			want = "VALUE k1 0 1\r\nw\r\nEND\r\n"
		case 3:
			want = "END\r\n"
		}
		c.Ask(fmt.Sprintf("get k%d\r\n", i), want)
		for _, store := range stores[:2] {
			onlyAt(t, []*harness.Memcached{store}, -1, fmt.Sprintf("k%d", i))
		}
	}
	c.Close()
	p.Stop(t)
	p.Restart(t)
	c = harness.Dial(t, p.Addr)
	c.Ask("get k1\r\n", "VALUE k1 0 1\r\nw\r\nEND\r\n")
	if log := p.Log(); strings.Contains(log, "plain keys move") {
		t.Error("the pool is warmed once more")
	}
}

// Servers that keep no CAS can't take part in a move: keys that move miss, as without one, and all else goes on.
func TestKeysMissWithoutCAS(t *testing.T) {
	t.Parallel()
	stores := fourStores(t, "-C")
	s := startMoving(t, stores, 3, "1s")
	key := s.key(t, 3, 0, 4, 3, "k")
	c := harness.Dial(t, s.Addr)
	c.Ask("set "+key+" 0 0 1\r\nv\r\n", "STORED\r\n")
	s.change(t, 4)
	harness.Await(t, "the warning", func() bool { return strings.Contains(s.Log(), "items can't be moved to or from this server") })
	c.Ask(fmt.Sprintf("get %[1]s\r\nadd %[1]s 0 0 1\r\nw\r\nappend %[1]s 0 0 1\r\nx\r\nget %[1]s\r\n", key), "END\r\nSTORED\r\nSTORED\r\nVALUE "+key+" 0 2\r\nwx\r\nEND\r\n")
	awaitMove(t, func() bool { return s.moved() > 0 })
	c.Ask("get "+key+"\r\n", "VALUE "+key+" 0 2\r\nwx\r\nEND\r\n")
}

// A flush of everything is sent twice while keys move. What its client stores behind it, without waiting for its answer, is not flushed.
func TestFlushWhileKeysMove(t *testing.T) {
	t.Parallel()
	stores := fourStores(t)
	s := startMoving(t, stores, 3, movesIn+"\n    flush: allow")
	c := harness.Dial(t, s.Addr)
	moves, stays := s.key(t, 3, 0, 4, 3, "moves"), s.key(t, 3, 0, 4, 0, "stays")
	s.change(t, 4)
	stored := "VALUE " + moves + " 0 1\r\na\r\nVALUE " + stays + " 0 1\r\nb\r\nEND\r\n"
	awaitMove(t, func() bool {
		set := "set " + moves + " 0 0 1\r\na\r\nset " + stays + " 0 0 1\r\nb\r\n"
		c.Ask("flush_all\r\nget "+moves+" "+stays+"\r\n"+set, "OK\r\nEND\r\nSTORED\r\nSTORED\r\n")
		c.Ask("get "+moves+" "+stays+"\r\n", stored)
		c.Ask("flush_all noreply\r\n"+set+"get "+moves+" "+stays+"\r\n", "STORED\r\nSTORED\r\n"+stored)
		return s.moved() > 0
	})
	c.Ask("get "+moves+" "+stays+"\r\n", stored)
}
