package proxy

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/front"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// outage is a server that can be cut off.
type outage struct {
	*store
	off atomic.Bool
}

func (o *outage) dial(context.Context) (net.Conn, error) {
	if o.off.Load() {
		return nil, errors.New("cut off")
	}
	return o.Dial()
}

// cut cuts the server off, or mends that, and waits until the proxy has noticed.
func (o *outage) cut(t *testing.T, s *pools, off bool) {
	t.Helper()
	if o.off.Store(off); off {
		onLoops(s.Server, func(l *front.Loop) {
			for _, u := range l.Pools.Members {
				if u.Name == o.name {
					u.First.Fail("is lost")
				}
			}
		})
	}
	await(t, "the proxy to notice", func() bool {
		noticed := true
		onLoops(s.Server, func(l *front.Loop) {
			for _, u := range l.Pools.Members {
				if u.Name == o.name {
					noticed = noticed && (u.State == upstream.Up) != off
				}
			}
		})
		return noticed
	})
}

// startOutage starts a proxy with two servers, the second of which, with the keys that do not
// begin with a, can be cut off, and a spare pool.
func startOutage(t *testing.T, change func(*config.Pool), slow time.Duration) (s *pools, o *outage) {
	t.Helper()
	s, o = newOutage(t, change)
	s.shared.Config.Slow = slow
	start(t, s.Server)
	return s, o
}

// newOutage is startOutage for a proxy that is not started yet.
func newOutage(t *testing.T, change func(*config.Pool)) (s *pools, o *outage) {
	t.Helper()
	s = newPools(t, "main", "spare")
	s.stores = append(s.stores, newStore(t, "second"))
	o = &outage{store: s.stores[2]}
	main := &s.shared.Config.Pools[0]
	main.Upstreams = append(main.Upstreams, config.Upstream{Name: o.name, Dial: o.dial})
	main.Layout = byPlace{}
	change(main)
	return s, o
}

// With misses, gets of keys of a server that is down are misses and the rest of a multi-get is
// returned; changes and verbs are refused.
func TestMissesWhileDown(t *testing.T) {
	s, o := startOutage(t, func(p *config.Pool) { p.OnDown = config.Miss }, time.Hour)
	conn := dialServer(t, s.Server)
	exchange(t, conn, "set a 0 0 1\r\nx\r\nset k 0 0 1\r\ny\r\n", "STORED\r\nSTORED\r\n")
	o.cut(t, s, true)
	refused := "SERVER_ERROR upstream second is down: cut off\r\n"
	awaitReply(t, conn, "touch k 0\r\n", refused)
	for _, e := range []struct{ request, reply string }{
		{"get k\r\n", "END\r\n"},
		{"gets k\r\n", "END\r\n"},
		{"gat 0 k\r\n", "END\r\n"},
		{"mg k v\r\n", "EN\r\n"},
		{"mg k v k O17 t\r\n", "EN kk O17\r\n"},
		{"mg k v q\r\nmn\r\n", "MN\r\n"},
		{"get k a k2\r\n", "VALUE a 0 1\r\nx\r\nEND\r\n"},
		{"set k 0 0 1\r\nz\r\n", refused},
		{"delete k\r\n", refused},
		{"ms k 1\r\nz\r\n", refused},
		{"sadd k m\r\n", refused},
		{"smembers k\r\n", refused},
		{"set a 0 0 1\r\nz\r\n", "STORED\r\n"},
	} {
		exchange(t, conn, e.request, e.reply)
	}
	o.cut(t, s, false)
	exchange(t, conn, "get k\r\n", "VALUE k 0 1\r\ny\r\nEND\r\n")
}

// awaitReply repeats a request until the reply is as expected: a server's outage may have a
// first reason and then another one.
func awaitReply(t *testing.T, conn net.Conn, request, reply string) {
	t.Helper()
	await(t, reply, func() bool {
		ask(t, conn, request)
		buf := make([]byte, 4096)
		_ = conn.SetReadDeadline(time.Now().Add(patience))
		n, _ := conn.Read(buf)
		return string(buf[:n]) == reply
	})
}

// A request that was sent to a server before it failed is a miss too.
func TestMissOfARequestInFlight(t *testing.T) {
	gate := make(chan struct{})
	defer close(gate)
	s := newServer(1, gatedUpstream(t, gate))
	s.shared.Config.Pools[0].OnDown = config.Miss
	start(t, s)
	replies := map[string]string{
		"get k\r\n":            "END\r\n",
		"get k k2\r\n":         "END\r\n",
		"mg k v\r\n":           "EN\r\n",
		"mg k v O17 k\r\n":     "EN O17 kk\r\n",
		"set k 0 0 1\r\nx\r\n": "SERVER_ERROR upstream " + s.shared.Config.Pools[0].Upstreams[0].Name + " is lost\r\n",
	}
	conns := map[string]net.Conn{}
	for request := range replies {
		conns[request] = dialServer(t, s)
		ask(t, conns[request], request)
	}
	await(t, "the requests to be sent", func() (sent bool) {
		onLoops(s, func(l *front.Loop) { sent = l.Pools.Members[0].InFlight() == len(replies) })
		return sent
	})
	onLoops(s, func(l *front.Loop) { l.Pools.Members[0].First.Fail("is lost") })
	for request, reply := range replies {
		exchange(t, conns[request], "", reply)
	}
}

// With a spare pool, get, set, add and delete go there while a server is down, and nothing else
// does; nothing lives there for long.
func TestSpareWhileDown(t *testing.T) {
	for _, slow := range []time.Duration{0, time.Hour} {
		t.Run(fmt.Sprintf("slow from %v", slow), func(t *testing.T) { testSpareWhileDown(t, slow) })
	}
}

func testSpareWhileDown(t *testing.T, slow time.Duration) {
	s, o := startOutage(t, func(p *config.Pool) { p.OnDown, p.Spare, p.SpareTTL = config.Spare, "spare", 1000*time.Second }, slow)
	conn, spare := dialServer(t, s.Server), s.stores[1].dial(t)
	exchange(t, conn, "set a 0 0 1\r\nx\r\nset k 0 0 1\r\ny\r\n", "STORED\r\nSTORED\r\n")
	o.cut(t, s, true)
	refused := "SERVER_ERROR upstream second is down: cut off\r\n"
	awaitReply(t, conn, "touch k 0\r\n", refused)
	for _, e := range []struct{ request, reply string }{
		{"get k\r\n", "END\r\n"},
		{"set k 7 0 1\r\nz\r\n", "STORED\r\n"},
		{"add k 0 5 1\r\nz\r\n", "NOT_STORED\r\n"},
		{"add k2 0 500 1\r\nz\r\n", "STORED\r\n"},
		{"get k a k2 k3\r\n", "VALUE k 7 1\r\nz\r\nVALUE a 0 1\r\nx\r\nVALUE k2 0 1\r\nz\r\nEND\r\n"},
		{"delete k3\r\n", "NOT_FOUND\r\n"},
		{"gets k\r\n", refused},
		{"gets k a\r\n", refused},
		{"incr k 1\r\n", refused},
		{"append k 0 0 1\r\nz\r\n", refused},
		{"mg k v\r\n", refused},
		{"sadd k m\r\n", refused},
	} {
		exchange(t, conn, e.request, e.reply)
	}
	exchange(t, spare, "get a\r\n", "END\r\n")
	expectToLive(t, spare, "k", 1000)
	expectToLive(t, spare, "k2", 500)
	o.cut(t, s, false)
	exchange(t, conn, "get k\r\n", "VALUE k 0 1\r\ny\r\nEND\r\n")
}

// expectToLive checks that the item has a time to live of at most so many seconds, most of which are left.
func expectToLive(t *testing.T, conn net.Conn, key string, most int) {
	t.Helper()
	ask(t, conn, "mg "+key+" t\r\n")
	left := 0
	if _, err := fmt.Fscanf(conn, "HD t%d\r\n", &left); err != nil || left <= most/2 || left > most {
		t.Errorf("%s lives for %d s more (%v), expected %d", key, left, err, most)
	}

}

// What a spare pool may hold is told by its own settings: nothing is stored in one that is read-only,
// and no value that is longer than it takes.
func TestSpareWithItsOwnSettings(t *testing.T) {
	limits := func(set func(spare *config.Pool)) (conn, spare net.Conn) {
		s, o := newOutage(t, func(p *config.Pool) { p.OnDown, p.Spare, p.SpareTTL = config.Spare, "spare", 10*time.Second })
		set(&s.shared.Config.Pools[1])
		start(t, s.Server)
		conn, spare = dialServer(t, s.Server), s.stores[1].dial(t)
		exchange(t, spare, "set k 0 0 1\r\nx\r\n", "STORED\r\n")
		o.cut(t, s, true)
		awaitReply(t, conn, "touch k 0\r\n", "SERVER_ERROR upstream second is down: cut off\r\n")
		return conn, spare
	}
	conn, spare := limits(func(spare *config.Pool) { spare.Guard.ReadOnly = true })
	const refused = "SERVER_ERROR upstream second is down: cut off\r\n"
	exchange(t, conn, "get k k\r\nset k 0 0 1\r\ny\r\nadd k2 0 0 1\r\ny\r\ndelete k\r\nset k 0 0 1 noreply\r\ny\r\nget k\r\n",
		"VALUE k 0 1\r\nx\r\nVALUE k 0 1\r\nx\r\nEND\r\n"+refused+refused+refused+"VALUE k 0 1\r\nx\r\nEND\r\n")
	exchange(t, spare, "get k k2\r\n", "VALUE k 0 1\r\nx\r\nEND\r\n")

	conn, spare = limits(func(spare *config.Pool) { spare.MaxItemSize = 1000 })
	long := strings.Repeat("v", 1001)
	const tooLarge = "SERVER_ERROR object too large for cache\r\n"
	exchange(t, conn, "add k2 0 0 1001\r\n"+long+"\r\nset k 0 0 1001\r\n"+long+"\r\nset k3 0 0 1000\r\n"+long[:1000]+"\r\n", tooLarge+tooLarge+"STORED\r\n")
	exchange(t, spare, "get k k2\r\n", "END\r\n") // as memcached deletes what too large a value should replace
}

func TestCapExptime(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	for exptime, capped := range map[int64]int64{0: 10, 5: 5, 10: 10, 11: 10, -1: -1, 2592000: 10, 2592001: 2592001, 1_800_000_009: 1_800_000_009, 1_800_000_011: 10} {
		if got := route.CapExptime(exptime, 10*time.Second, now); got != capped {
			t.Errorf("%d became %d, expected %d", exptime, got, capped)
		}
	}
}

// Nobody reads what was changed while a server was down, whichever loop connects first; all else, and what
// is stored after it, stays.
func TestDeleteOnReturn(t *testing.T) {
	s := newPools(t, "main")
	o := &outage{store: newStore(t, "second")}
	main := &s.shared.Config.Pools[0]
	main.Upstreams, main.Layout, main.OnReturn = []config.Upstream{{Name: o.name, Dial: o.dial}}, firstOnly{}, upstream.Delete
	s.shared.Config.Loops = 2
	start(t, s.Server)
	conn := dialServer(t, s.Server)
	exchange(t, conn, "set k 0 0 1\r\ny\r\nset other 0 0 1\r\nx\r\n", "STORED\r\nSTORED\r\n")
	for range 3 {
		o.cut(t, s, true)
		awaitReply(t, conn, "delete k\r\n", "SERVER_ERROR upstream second is down: cut off\r\n")
		o.cut(t, s, false)
		exchange(t, conn, "get other\r\n", "VALUE other 0 1\r\nx\r\nEND\r\n")
		exchange(t, conn, "get k\r\nset k 0 0 1\r\ny\r\nget k\r\n", "END\r\nSTORED\r\nVALUE k 0 1\r\ny\r\nEND\r\n")
	}
}

// A server that a reload brings back to its pool is flushed too.
func TestFlushOfAServerThatAReloadBringsBack(t *testing.T) {
	s := newPools(t, "main", "extra")
	for i := range s.shared.Config.Pools {
		s.shared.Config.Pools[i].OnReturn = upstream.Flush
	}
	start(t, s.Server)
	conn := dialServer(t, s.Server)
	exchange(t, conn, "set k 0 0 1\r\ny\r\n", "STORED\r\n")
	without := s.shared.Config
	without.Pools = []config.Pool{poolOf(s.shared.Config.Pools[0], "main", newStore(t, "another"))}
	for _, c := range []config.Config{without, s.shared.Config} {
		if err := s.Reload(c); err != nil {
			t.Fatal(err)
		}
	}
	exchange(t, conn, "get k\r\nset k 0 0 1\r\nz\r\n", "END\r\nSTORED\r\n")

	// Once: later reloads that connect to it again leave it as it is, and so does a pool with
	// another name.
	again := s.shared.Config
	again.Pools = append([]config.Pool(nil), s.shared.Config.Pools...)
	again.Pools[0].Timeout, again.Pools[0].Settings = 7*time.Second, []config.Setting{{Name: "timeout", Text: "7s", AtOnce: false}}
	renamed := s.shared.Config
	renamed.Pools = append([]config.Pool(nil), s.shared.Config.Pools...)
	renamed.Pools[0].Name = "principal"
	renamed.Listeners = append([]config.Listener(nil), s.shared.Config.Listeners...)
	renamed.Listeners[0].Routes = []config.Route{{Pool: "principal"}}
	for _, c := range []config.Config{again, s.shared.Config, renamed, s.shared.Config} {
		if err := s.Reload(c); err != nil {
			t.Fatal(err)
		}
		exchange(t, conn, "get k\r\n", "VALUE k 0 1\r\nz\r\nEND\r\n")
	}
}

// A server that answers no more is found out though nobody asks it anything.
func TestIdleServerThatHangs(t *testing.T) {
	gate := make(chan struct{})
	defer close(gate)
	s := newServer(1, gatedUpstream(t, gate))
	s.shared.Pauses.ProbeEvery, s.shared.Config.Pools[0].Timeout = 10*time.Millisecond, 100*time.Millisecond
	start(t, s)
	await(t, "the server to be found out", func() bool {
		return s.shared.Setup.Load().Pools[0].Remotes[0].Outage().Count > 0
	})
}

// The proxy is ready as long as some requests of each of its clients' pools are answered.
func TestReadyWhileDown(t *testing.T) {
	for _, c := range []struct {
		down  string // the pool whose only server is down
		onit  config.OnDown
		ready bool
	}{{"main", config.Refuse, false}, {"main", config.Miss, true}, {"spare", config.Refuse, true}} {
		s := newPools(t, "main", "spare")
		for i := range s.shared.Config.Pools {
			if p := &s.shared.Config.Pools[i]; p.Name == c.down {
				o := &outage{store: s.stores[i]}
				o.off.Store(true)
				p.Upstreams, p.OnDown = []config.Upstream{{Name: o.name, Dial: o.dial}}, c.onit
			}
		}
		start(t, s.Server)
		snapshot, err := s.Snapshot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if (snapshot.Unready == "") != c.ready {
			t.Errorf("with pool %s down: %q", c.down, snapshot.Unready)
		}
	}
}
