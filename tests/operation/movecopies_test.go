package operation

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// Structures stay where they are while plain keys move, also those of several items, and plain commands on them move nothing.
func TestStructuresStayWhileKeysMove(t *testing.T) {
	t.Parallel()
	var stores []*harness.Memcached
	for range 4 {
		stores = append(stores, harness.StartMemcached(t, harness.Newest))
	}
	s := startMoving(t, stores, 3, "2s")
	set, table, tasks, plain := s.key(t, 3, 0, 4, 3, "set"), s.key(t, 3, 1, 4, 3, "table"), s.key(t, 3, 2, 4, 3, "tasks"), s.key(t, 3, 0, 4, 3, "plain")
	c := harness.Dial(t, s.Addr)
	c.Ask("sadd "+set+" a b\r\nset "+plain+" 0 0 1\r\np\r\n", "STORED\r\nSTORED\r\n")
	const rows = 100
	for i := range rows {
		c.Ask(fmt.Sprintf("hset %s f%d 0 0 1\r\n%d\r\ntaskput %s t%d 0 0 1\r\n%d\r\n", table, i, i%10, tasks, i, i%10), "STORED\r\nSTORED\r\n")
	}
	s.change(t, 4)
	harness.Await(t, "keys to be moved", func() bool { // meanwhile somebody looks at the items themselves
		c.Send("get " + set + " " + table + " " + tasks + "\r\n")
		c.Until("END")
		return strings.Contains(s.Log(), "plain keys have moved")
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
	var stores []*harness.Memcached
	for range 4 {
		stores = append(stores, harness.StartMemcached(t, harness.Newest))
	}
	s := startMoving(t, stores, 4, "2s")
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
	harness.Await(t, "keys to be moved", func() bool {
		i := asked % 10 // the others are left to the sweep
		asked++
		c.Ask(fmt.Sprintf("get %s\r\nget %s\r\nappend %s 0 0 1\r\nx\r\n", with[i], without[i], without[i]), "VALUE "+with[i]+" 0 3\r\nnew\r\nEND\r\nEND\r\nNOT_STORED\r\n")
		return strings.Contains(s.Log(), "plain keys have moved")
	})
	for i := range with {
		onlyAt(t, stores, 0, with[i])
		onlyAt(t, stores, -1, without[i])
	}
}

// A proxy that is started while keys move joins; and one that is started when the servers have changed moves the keys, as the servers
// tell which list was used before.
func TestStartedProxiesMoveKeys(t *testing.T) {
	t.Parallel()
	var stores []*harness.Memcached
	for range 4 {
		stores = append(stores, harness.StartMemcached(t, harness.Newest))
	}
	s := startMoving(t, stores, 3, "2s")
	c := harness.Dial(t, s.Addr)
	var keys []string
	for i := range 30 {
		keys = append(keys, s.key(t, 3, i%3, 4, 3, fmt.Sprintf("k%d.", i)))
		c.Ask("set "+keys[i]+" 0 0 1\r\nv\r\n", "STORED\r\n")
	}
	c.Close()
	harness.Await(t, "the servers to know the list", func() bool {
		direct := harness.Dial(t, stores[1].Addr)
		defer direct.Close()
		direct.Send("mg memverbs:servers:main\r\n")
		return direct.Line() == "HD"
	})
	s.Stop(t)
	started, joined := startMoving(t, stores, 4, "2s"), startMoving(t, stores, 4, "2s")
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
