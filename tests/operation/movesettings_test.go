package operation

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/moving"
	"github.com/memverbs/memverbs/tests/harness"
)

// inBoth is settle of pools whose keys stay in the first phase of a move for the whole of a test.
const inBoth = "10m"

// movesBoth starts memverbs with a further setting of a pool that has had three servers and gets a fourth one, and stays in the first phase
// of the move.
func movesBoth(t *testing.T, setting string) (s *settling, c *harness.Client) {
	t.Helper()
	stores := fourStores(t)
	before := startMoving(t, stores, 3, movesIn)
	awaitRecord(t, stores[1])
	before.Stop(t)
	s = startMoving(t, stores, 4, inBoth, setting)
	c = harness.Dial(t, s.Addr)
	awaitAnswer(t, c, "get "+s.key(t, 3, 0, 4, 3, "reached")+"\r\n", "END\r\n")
	return s, c
}

// awaitRecord waits until a server knows the list of servers.
func awaitRecord(t *testing.T, store *harness.Memcached) {
	t.Helper()
	harness.Await(t, "the servers to know the list", func() bool {
		direct := harness.Dial(t, store.Addr)
		defer direct.Close()
		direct.Send("mg memverbs:servers:main\r\n")
		return direct.Line() == "HD"
	})
}

// Gets that have joined another one of a key that moves, and are not told its large value, ask both servers too.
func TestJoinedGetsWhileKeysMove(t *testing.T) {
	t.Parallel()
	s, c := movesBoth(t, `near: {"": 1ms}`)
	key, value := s.key(t, 3, 0, 4, 3, "k"), strings.Repeat("x", 100_000)
	c.Ask(fmt.Sprintf("set %s 0 0 %d\r\n%s\r\n", key, len(value), value), "STORED\r\n")
	var all sync.WaitGroup
	for range 16 {
		d := harness.Dial(t, s.Addr)
		all.Go(func() {
			for range 20 {
				d.Ask("get "+key+"\r\n", fmt.Sprintf("VALUE %s 0 %d\r\n%s\r\nEND\r\n", key, len(value), value))
			}
		})
	}
	all.Wait()
}

// A gat of several keys, of which some move, leaves the process free to keep their values afterwards.
func TestNearAfterGatWhileKeysMove(t *testing.T) {
	t.Parallel()
	s, c := movesBoth(t, `near: {"": 10m}`)
	key, other := s.key(t, 3, 0, 4, 3, "k"), s.key(t, 3, 0, 4, 0, "other")
	c.Ask(fmt.Sprintf("set %s 0 0 1\r\nv\r\ngat 600 %s %s\r\n", key, key, other), fmt.Sprintf("STORED\r\nVALUE %s 0 1\r\nv\r\nEND\r\n", key))
	harness.Await(t, "the value to be kept", func() bool {
		c.Ask("get "+key+"\r\n", "VALUE "+key+" 0 1\r\nv\r\nEND\r\n")
		return s.OwnStats()["near_hits"] != "0"
	})
}

// A get that waits for a key that moves gets what another proxy has stored on the server where the key was.
func TestHeldGetsWhileKeysMove(t *testing.T) {
	t.Parallel()
	s, maker := movesBoth(t, `hold-misses: {"": 1m}`)
	other := startMoving(t, s.stores, 3, inBoth)
	key := s.key(t, 3, 0, 4, 3, "k")
	waits := harness.Dial(t, s.Addr)
	maker.Ask("get "+key+"\r\n", "END\r\n")
	waits.Send("get " + key + "\r\n")
	harness.Await(t, "the get to wait", func() bool { return s.OwnStats()["held_waited"] == "1" })
	harness.Dial(t, other.Addr).Ask("set "+key+" 0 0 1\r\nv\r\n", "STORED\r\n")
	waits.Expect("VALUE " + key + " 0 1\r\nv\r\nEND\r\n")
}

// A get of several keys that move finds them without waiting, and one that misses does not wait either.
func TestMultiGetsAreNotHeldWhileKeysMove(t *testing.T) {
	t.Parallel()
	s, c := movesBoth(t, `hold-misses: {"": 1m}`)
	one, two, none := s.key(t, 3, 0, 4, 3, "one"), s.key(t, 3, 1, 4, 3, "two"), s.key(t, 3, 1, 4, 3, "none")
	c.Ask(fmt.Sprintf("set %s 0 0 1\r\n1\r\nset %s 0 0 1\r\n2\r\n", one, two), "STORED\r\nSTORED\r\n")
	for range 3 {
		d := harness.Dial(t, s.Addr)
		d.Ask(fmt.Sprintf("get %s %s\r\n", one, two), fmt.Sprintf("VALUE %s 0 1\r\n1\r\nVALUE %s 0 1\r\n2\r\nEND\r\n", one, two))
		d.Ask(fmt.Sprintf("get %s %s\r\n", one, none), fmt.Sprintf("VALUE %s 0 1\r\n1\r\nEND\r\n", one))
	}
}

// While the server is down that keys move to, changes of these keys are refused, and gets are refused or miss, as on-down says. The
// spare pool is not asked, as it knows nothing of the move.
func TestOnDownWhileKeysMove(t *testing.T) {
	t.Parallel()
	for _, setting := range []string{"refuse", "miss", "spare:spare"} {
		t.Run(setting, func(t *testing.T) {
			t.Parallel()
			stores, spare := fourStores(t), harness.StartMemcached(t, harness.Newest)
			s := startMoving(t, stores, 3, inBoth, "timeout: 2s", "on-down: "+setting,
				fmt.Sprintf("\n  spare: {listen: [%q], servers: [%q]}", harness.FreeAddr(t), spare.Addr))
			c := harness.Dial(t, s.Addr)
			key := s.key(t, 3, 0, 4, 3, "k")
			c.Ask("set "+key+" 0 0 1\r\nv\r\n", "STORED\r\n")
			s.change(t, 4)
			awaitAnswer(t, c, "get "+key+"\r\n", "VALUE "+key+" 0 1\r\nv\r\nEND\r\n")
			stores[3].Kill(t)
			harness.Await(t, "the outage to be noticed", func() bool { return s.FoundServerDown() })
			gets := map[string]string{"get " + key: "END", "mg " + key + " v k Oq": "EN Oq k" + key, "get " + key + " " + key: "END"}
			for request, miss := range gets {
				c.Send(request + "\r\n")
				if line := c.Line(); setting == "miss" && sortedWords(line) != sortedWords(miss) || setting != "miss" && !strings.HasPrefix(line, "SERVER_ERROR ") {
					t.Errorf("%q was answered by %q", request, line)
				}
			}
			for _, request := range []string{"set " + key + " 0 0 1\r\nw", "delete " + key, "append " + key + " 0 0 1\r\nx", "gat 5 " + key + " " + key} {
				c.Send(request + "\r\n")
				if line := c.Line(); !strings.HasPrefix(line, "SERVER_ERROR ") && !(setting == "miss" && line == "END") {
					t.Errorf("%q was answered by %q", request, line)
				}
			}
			c.InStep()
			onlyAt(t, []*harness.Memcached{spare}, -1, key)
		})
	}
}

// sortedWords returns the flags of a line in one order.
func sortedWords(line string) string {
	words := strings.Fields(line)
	return fmt.Sprint(len(words), words[0], strings.Contains(line, " Oq"), strings.Contains(line, " k"))
}

// Nobody is shown the placeholder of a key that moves, whichever way a client asks for it.
func TestPlaceholdersAreNotShown(t *testing.T) {
	t.Parallel()
	s, c := movesBoth(t, `near: {"near": 10m}`)
	direct := harness.Dial(t, s.stores[3].Addr)
	for _, prefix := range []string{"near", "k"} {
		key := s.key(t, 3, 0, 4, 3, prefix)
		direct.Ask(fmt.Sprintf("set %s 0 60 %d\r\n%s\r\n", key, len(moving.Placeholder), moving.Placeholder), "STORED\r\n")
		for range 3 {
			c.Ask(fmt.Sprintf("get %[1]s\r\nget %[1]s %[1]s\r\ngets %[1]s\r\ngat 0 %[1]s\r\nmg %[1]s v\r\n", key), "END\r\nEND\r\nEND\r\nEND\r\nEN\r\n")
		}
	}
}

// While keys move, a pool with other settings answers as one memcached does.
func TestSettingsWhileKeysMove(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, pool, rest, prefix string }{
		{name: "near", pool: `near: {"": 10m}`},
		{name: "hold-misses", pool: `hold-misses: {"": 1m}`},
		{name: "on-down", pool: "on-down: miss"},
		{name: "on-return", pool: "on-return: flush"},
		{name: "near and hold-misses", pool: "near: {\"\": 10m}\n    hold-misses: {\"\": 1m}"},
		{name: "strip", rest: `"short/": {pool: main, strip: true}`, prefix: "short/"},
		{name: "shadow", rest: `"shadowed/": {pool: main, shadow: other, share: 100%, strip: true}`, prefix: "shadowed/"},
		{name: "verb-keys", rest: `"": main`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			stores, alone := fourStores(t), harness.StartMemcached(t, harness.Newest)
			more, addr := []string{test.pool}, ""
			if test.rest != "" {
				addr = harness.FreeAddr(t)
				routes := "      " + test.rest + "\n"
				if test.prefix != "" {
					routes += "      \"\": main\n"
				}
				more = append(more, fmt.Sprintf("\n  other: {listen: [%q], servers: [%q]}\nlisteners:\n  - listen: [%q]\n    verb-keys: verb/\n    routes:\n%s", harness.FreeAddr(t), harness.StartMemcached(t, harness.Newest).Addr, addr, routes))
			}
			s := startMoving(t, stores, 3, "2s", more...)
			if addr == "" {
				addr = s.addr
			}
			var keys []string
			for i := range 8 {
				keys = append(keys, test.prefix+s.key(t, 3, i%3, 4, 3, fmt.Sprintf("k%d.", i)))
			}
			proxy, plain := harness.Dial(t, addr), harness.Dial(t, alone.Addr)
			for round, n := range []int{4, 3} {
				s.change(t, n)
				commands := 0
				for ; s.moved() <= round; commands++ {
					time.Sleep(time.Millisecond)
					key := keys[rand.N(len(keys))]
					command := commandsThatMove[rand.N(len(commandsThatMove))](key)
					want, got := replyTo(plain, command), replyTo(proxy, command)
					switch {
					case movesNow(got): // what has become of it is not known
						harness.Await(t, "a delete to succeed", func() bool { return !movesNow(replyTo(proxy, "delete "+key)) })
						replyTo(plain, "delete "+key)
					case !sameAnswer(got, want):
						t.Fatalf("%q: %q, and memcached itself: %q", command, got, want)
					}
				}
				t.Logf("%d commands", commands)
			}
		})
	}
}
