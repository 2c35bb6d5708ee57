package operation

import (
	"fmt"
	"hash/fnv"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/moving"
	"github.com/memverbs/memverbs/tests/harness"
)

// A proxy that is started when a move has just ended goes through the last phase, too: others may have placeholders still, which it must
// take for no items.
func TestProxyStartedAtTheEndOfAMove(t *testing.T) {
	t.Parallel()
	s, c := movesBoth(t, "timeout: 10s")
	key, direct := s.key(t, 3, 0, 4, 3, "k"), harness.Dial(t, s.stores[3].Addr)
	var mark string
	harness.Await(t, "the mark of the move", func() bool {
		direct.Send("mg memverbs:move:main v\r\n")
		head := direct.Line()
		if !strings.HasPrefix(head, "VA ") {
			return false
		}
		var size int
		fmt.Sscanf(head, "VA %d", &size)
		mark = direct.Exactly(size + 2)[:size]
		return true
	})
	c.Close()
	s.Stop(t)
	h := fnv.New64a()
	h.Write([]byte(mark))
	state := fmt.Sprintf("ended %016x", h.Sum64())
	direct.Ask(fmt.Sprintf("ms memverbs:moved:main %d T21600\r\n%s\r\n", len(state), state), "HD\r\n")
	direct.Ask(fmt.Sprintf("set %s 0 60 %d\r\n%s\r\n", key, len(moving.Placeholder), moving.Placeholder), "STORED\r\n")
	s.Restart(t)
	c = harness.Dial(t, s.Addr)
	c.Ask(fmt.Sprintf("get %[1]s\r\nappend %[1]s 0 0 1\r\nx\r\nget %[1]s %[1]s\r\n", key), "END\r\nNOT_STORED\r\nEND\r\n")
}

// While no server says how far other proxies are, a gat of several keys is refused as a whole, as other changes are, and touches none.
func TestGatOfSeveralKeysWhileNoServerIsHeard(t *testing.T) {
	t.Parallel()
	stores := fourStores(t)
	s := startMoving(t, stores, 3, movesIn, "timeout: 1m")
	c, direct := harness.Dial(t, s.Addr), harness.Dial(t, stores[0].Addr)
	one, two := s.key(t, 3, 0, 4, 3, "one"), s.key(t, 3, 0, 4, 3, "two")
	stays := s.key(t, 3, 0, 4, 0, "stays")
	for _, key := range []string{one, two, stays} {
		c.Ask("set "+key+" 0 0 1\r\nv\r\n", "STORED\r\n")
	}
	s.change(t, 4)
	awaitAnswer(t, c, "get "+one+"\r\n", "VALUE "+one+" 0 1\r\nv\r\nEND\r\n")
	for _, store := range stores {
		store.Freeze(t)
	}
	const refusal = "SERVER_ERROR keys move to other servers, and this proxy can't reach any of them: nothing was changed; try again"
	harness.Await(t, "changes to be refused", func() bool {
		d := harness.Dial(t, s.Addr)
		defer d.Close()
		d.Send("set " + two + " 0 0 1\r\nw\r\nmn\r\n")
		d.Conn().SetReadDeadline(time.Now().Add(time.Second))
		line := make([]byte, len(refusal))
		n, _ := d.Conn().Read(line)
		return string(line[:n]) == refusal
	})
	d := harness.Dial(t, s.Addr)
	d.Ask(fmt.Sprintf("gat 60 %s %s\r\ngats 60 %s %s\r\ngat 60 %s\r\ngat 60 %s %s\r\n", one, two, one, two, one, stays, one), strings.Repeat(refusal+"\r\n", 4))
	for _, store := range stores {
		store.Thaw(t)
	}
	direct.Ask("mg "+stays+" t\r\n", "HD t-1\r\n")
	harness.Await(t, "the item to be found", func() bool {
		direct.Send("mg " + one + " t\r\n")
		line := direct.Line()
		if line == "EN" { // it was moved meanwhile
			line = ttlAt(t, stores[3], one)
		}
		if line != "HD t-1" && line != "EN" {
			t.Fatalf("it was touched: %s", line)
		}
		return line != "EN"
	})
}

// ttlAt returns what a server says of the time to live of a key.
func ttlAt(t *testing.T, store *harness.Memcached, key string) string {
	c := harness.Dial(t, store.Addr)
	defer c.Close()
	c.Send("mg " + key + " t\r\n")
	return c.Line()
}
