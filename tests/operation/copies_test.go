package operation

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/packet"
)

// copied is two servers with copies of all keys, and proxies before them.
type copied struct {
	near, far *harness.Memcached
	proxies   []*harness.Memverbs
}

// startCopies starts some proxies that reach the servers over links, if there are any.
func startCopies(t *testing.T, proxies int, toNear, toFar func(*harness.Memcached) string) *copied {
	t.Helper()
	c := &copied{near: harness.StartMemcached(t, harness.Newest), far: harness.StartMemcached(t, harness.Versions[1])}
	near, far := toNear(c.near), toFar(c.far)
	for range proxies {
		file, addr := filepath.Join(t.TempDir(), "memverbs.yml"), harness.FreeAddr(t)
		text := fmt.Sprintf(`loops: 2
pools:
  near: {servers: [%q], timeout: 2s}
  far: {servers: [%q], timeout: 2s}
listeners:
  - listen: [%q]
    verb-keys: verb/
    routes:
      "": {copies: [near, far]}
      "short/": {copies: [near, far], strip: true}
`, near, far, addr)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c.proxies = append(c.proxies, harness.StartMemverbsWith(t, file, addr))
	}
	return c
}

// straight returns the address of a server.
func straight(m *harness.Memcached) string { return m.Addr }

// Everything that is said of one key with copies.
func TestCopies(t *testing.T) {
	t.Parallel()
	s := startCopies(t, 1, straight, straight)
	c, near, far := harness.Dial(t, s.proxies[0].Addr), harness.Dial(t, s.near.Addr), harness.Dial(t, s.far.Addr)
	both := func(request, reply string) {
		t.Helper()
		near.Ask(request, reply)
		far.Ask(request, reply)
	}
	c.Ask("set k 5 0 1\r\na\r\n", "STORED\r\n")
	both("get k\r\n", "VALUE k 5 1\r\na\r\nEND\r\n")
	c.Ask("touch k 0\r\ndelete k\r\n", "TOUCHED\r\nDELETED\r\n")
	both("get k\r\n", "END\r\n")
	c.Ask("delete k\r\n", "NOT_FOUND\r\n")
	c.Ask("set k 0 0 1 noreply\r\nb\r\nget k\r\n", "VALUE k 0 1\r\nb\r\nEND\r\n")
	both("get k\r\n", "VALUE k 0 1\r\nb\r\nEND\r\n")
	c.Ask("touch k -1\r\n", "TOUCHED\r\n")
	both("get k\r\n", "END\r\n")
	c.Ask("ms m 2 F7 k\r\nxy\r\nmd m q\r\nms bSBt 2 b\r\nxz\r\nmn\r\n", "HD km\r\nHD\r\nMN\r\n")
	both("get m\r\n", "END\r\n")
	both("mg bSBt b v\r\n", "VA 2\r\nxz\r\n")
	c.Ask("md bSBt b\r\nset short/n 0 0 1\r\n5\r\n", "HD\r\nSTORED\r\n")
	both("mg bSBt b v\r\n", "EN\r\n")
	both("get n\r\n", "VALUE n 0 1\r\n5\r\nEND\r\n")
	c.Ask("set n 0 0 1048577\r\n"+strings.Repeat("x", 1048577)+"\r\n", "SERVER_ERROR object too large for cache\r\n")
	both("get n\r\n", "END\r\n")
	c.Ask("set n 0 0 1\r\n5\r\n", "STORED\r\n")
	far.Ask("delete n\r\n", "DELETED\r\n")
	c.Ask("get n none\r\nmg none v\r\nget none\r\n", "VALUE n 0 1\r\n5\r\nEND\r\nEN\r\nEND\r\n")
}

// What can't be the same in all copies is done on the first one, and the others are deleted.
func TestFirstCopyAlone(t *testing.T) {
	t.Parallel()
	s := startCopies(t, 1, straight, straight)
	c, near, far := harness.Dial(t, s.proxies[0].Addr), harness.Dial(t, s.near.Addr), harness.Dial(t, s.far.Addr)
	for _, of := range []struct{ request, reply string }{
		{"incr k 2\r\n", "7\r\n"},
		{"decr k 2 noreply\r\nget k\r\n", "VALUE k 0 1\r\n3\r\nEND\r\n"},
		{"append k 0 0 1\r\n1\r\n", "STORED\r\n"},
		{"replace k 0 0 1\r\n1\r\n", "STORED\r\n"},
		{"add k 0 0 1\r\n1\r\n", "NOT_STORED\r\n"},
		{"gat 0 k\r\n", "VALUE k 0 1\r\n5\r\nEND\r\n"},
		{"gat 0 k none\r\n", "VALUE k 0 1\r\n5\r\nEND\r\n"},
		{"gat 0 short/k\r\n", "VALUE short/k 0 1\r\n5\r\nEND\r\n"},
		{"mg k T0 v\r\n", "VA 1\r\n5\r\n"},
		{"ma k v\r\n", "VA 1\r\n6\r\n"},
		{"ms k 1 MA\r\n1\r\n", "HD\r\n"},
		{"cas k 0 0 1 1\r\n1\r\n", "EXISTS\r\n"},
		{"delete k\r\nsadd k a\r\nsmembers k\r\n", "DELETED\r\nSTORED\r\nVALUE k 0 1\r\na\r\nEND\r\n"},
		{"delete k\r\nset verb/sadd/k 0 0 1\r\na\r\nget verb/smembers/k\r\n", "DELETED\r\nSTORED\r\nVALUE verb/smembers/k 0 1\r\na\r\nEND\r\n"},
		{"delete k\r\nrpush short/k a b\r\nget verb/lpop/k\r\n", "DELETED\r\nSTORED\r\nVALUE verb/lpop/k 0 1\r\na\r\nEND\r\n"},
	} {
		near.Ask("delete k noreply\r\nset other 0 0 1\r\nx\r\n", "STORED\r\n")
		c.Ask("set k 0 0 1\r\n5\r\n", "STORED\r\n")
		far.Ask("get k\r\n", "VALUE k 0 1\r\n5\r\nEND\r\n")
		c.Ask(of.request, of.reply)
		harness.Await(t, "the other copy to be deleted", func() bool { return has(far, "k") == "" })
	}
	c.Ask("set k 0 0 1\r\n5\r\n", "STORED\r\n")
	near.Send("mg k c\r\n")
	cas := strings.TrimPrefix(near.Line(), "HD c")
	c.Ask("gets k\r\ncas k 0 0 1 "+cas+"\r\n6\r\nget k\r\n", "VALUE k 0 1 "+cas+"\r\n5\r\nEND\r\nSTORED\r\nVALUE k 0 1\r\n6\r\nEND\r\n")
}

// has returns the value of a key on a server, empty if there is none.
func has(c *harness.Client, key string) string {
	c.Send("get " + key + "\r\n")
	if line := c.Line(); line == "END" {
		return ""
	}
	value := c.Line()
	c.Line()
	return value
}

// A value that the first copy has lost is read from the other one, and stored in the first again.
func TestCopyIsFilled(t *testing.T) {
	t.Parallel()
	s := startCopies(t, 1, straight, straight)
	c, near := harness.Dial(t, s.proxies[0].Addr), harness.Dial(t, s.near.Addr)
	for _, get := range []struct{ request, key, reply string }{
		{"get a\r\n", "a", "VALUE a 3 2\r\nxy\r\nEND\r\n"},
		{"gets a\r\n", "a", "VALUE a 3 2 9223372036854775807\r\nxy\r\nEND\r\n"},
		{"mg a v f t k\r\n", "a", "VA 2 f3 t-1 ka\r\nxy\r\n"},
		{"get a none b\r\n", "a", "VALUE a 3 2\r\nxy\r\nVALUE b 0 1\r\nb\r\nEND\r\n"},
		{"gets b a\r\n", "a", "VALUE b 0 1 9223372036854775807\r\nb\r\nVALUE a 3 2 9223372036854775807\r\nxy\r\nEND\r\n"},
		{"get short/a\r\n", "a", "VALUE short/a 3 2\r\nxy\r\nEND\r\n"},
		{"get short/a b\r\n", "a", "VALUE short/a 3 2\r\nxy\r\nVALUE b 0 1\r\nb\r\nEND\r\n"},
	} {
		c.Ask("set a 3 0 2\r\nxy\r\nset b 0 0 1\r\nb\r\n", "STORED\r\nSTORED\r\n")
		near.Ask("flush_all\r\n", "OK\r\n")
		c.Ask(get.request, get.reply)
		harness.Await(t, "the first copy to be filled", func() bool {
			near.Send("mg " + get.key + " v f t\r\n")
			line := near.Line()
			if strings.HasPrefix(line, "VA") {
				near.Line()
			}
			return line == "VA 2 f3 t-1"
		})
	}
	c.Ask("get a\r\n", "VALUE a 3 2\r\nxy\r\nEND\r\n")
}

// The binary protocol, also with several keys at once, and while the first copy is empty.
func TestCopiesByPackets(t *testing.T) {
	t.Parallel()
	s := startCopies(t, 1, straight, straight)
	c, near, far := packet.Dial(t, s.proxies[0].Addr), harness.Dial(t, s.near.Addr), harness.Dial(t, s.far.Addr)
	set := packet.Request{Opcode: packet.Set, Extras: packet.Words(3, 0), Key: "k", Value: "ab"}
	if a := c.Ask(set); a.Status != packet.Success {
		t.Fatalf("%+v", a)
	}
	if value := has(far, "k"); value != "ab" {
		t.Errorf("the other copy has %q", value)
	}
	near.Ask("flush_all\r\n", "OK\r\n")
	c.Send(packet.Request{Opcode: packet.GetQ, Key: "none"}, packet.Request{Opcode: packet.GetQ, Key: "k"}, packet.Request{Opcode: packet.Noop})
	c.Expect(packet.Success, "ab")
	c.Expect(packet.Success, "")
	harness.Await(t, "the first copy to be filled", func() bool { return has(near, "k") == "ab" })
	near.Ask("flush_all\r\n", "OK\r\n")
	if a := c.Ask(packet.Request{Opcode: packet.Get, Key: "k"}); a.Value != "ab" {
		t.Errorf("%+v", a)
	}
	if a := c.Ask(packet.Request{Opcode: packet.Delete, Key: "k"}); a.Status != packet.Success && a.Status != packet.NotFound {
		t.Errorf("%+v", a)
	}
	if a := c.Ask(packet.Request{Opcode: packet.Get, Key: "k"}); a.Status != packet.NotFound {
		t.Errorf("%+v", a)
	}
}

// The requests of a client on one key take effect in their order, however many it sends at once.
func TestCopiesInOrder(t *testing.T) {
	t.Parallel()
	s := startCopies(t, 1, straight, straight)
	c := harness.Dial(t, s.proxies[0].Addr)
	var requests, replies strings.Builder
	for i := range 500 {
		key := fmt.Sprintf("k%d", i%7)
		fmt.Fprintf(&requests, "set %s 0 0 3\r\n%03d\r\nget none %s\r\nset %s 0 0 3 noreply\r\nx%02d\r\nappend %s 0 0 1\r\ny\r\nget %s\r\ndelete %s\r\nget %s\r\nsadd %s m\r\nget %s other\r\n",
			key, i, key, key, i%100, key, key, key, key, key, key)
		fmt.Fprintf(&replies, "STORED\r\nVALUE %s 0 3\r\n%03d\r\nEND\r\nSTORED\r\nVALUE %s 0 4\r\nx%02dy\r\nEND\r\nDELETED\r\nEND\r\nSTORED\r\nVALUE %s 0 3\r\n+m \r\nEND\r\n",
			key, i, key, i%100, key)
	}
	go c.Send(requests.String())
	c.Expect(replies.String())
}

// copyFaults are ways in which a server with copies fails.
var copyFaults = []struct {
	name  string
	begin func(*testing.T, *harness.Memcached)
}{
	{"killed", func(t *testing.T, m *harness.Memcached) { m.Kill(t) }},
	{"frozen", func(t *testing.T, m *harness.Memcached) { m.Freeze(t) }},
}

// One of two copies fails while clients set and get: nobody is refused, and everybody reads what it has set.
func TestOneCopyFails(t *testing.T) {
	t.Parallel()
	for _, fault := range copyFaults {
		for _, which := range []string{"near", "far"} {
			t.Run(which+" "+fault.name, func(t *testing.T) {
				t.Parallel()
				s := startCopies(t, 1, straight, straight)
				victim := map[string]*harness.Memcached{"near": s.near, "far": s.far}[which]
				var clients sync.WaitGroup
				var done atomic.Int64
				for i := range 8 {
					c := harness.Dial(t, s.proxies[0].Addr)
					clients.Go(func() {
						for n := range 400 {
							c.Ask(fmt.Sprintf("set k%d 0 0 4\r\n%04d\r\n", i, n), "STORED\r\n")
							c.Ask(fmt.Sprintf("get k%d\r\n", i), fmt.Sprintf("VALUE k%d 0 4\r\n%04d\r\nEND\r\n", i, n))
							c.Ask(fmt.Sprintf("get none k%d\r\n", i), fmt.Sprintf("VALUE k%d 0 4\r\n%04d\r\nEND\r\n", i, n))
							done.Add(1)
						}
					})
				}
				harness.Await(t, "some load", func() bool { return done.Load() > 200 })
				fault.begin(t, victim)
				clients.Wait()
				if !s.proxies[0].FoundServerDown() {
					t.Error("the outage came too late")
				}
				c := harness.Dial(t, s.proxies[0].Addr)
				if c.Send("incr k0 1\r\n"); which == "near" && !strings.Contains(c.Line(), "is down") {
					t.Error("incr is not refused while the first copy is down")
				}
			})
		}
	}
}

// A copy is cut off from both proxies, and comes back with all that it had: nobody reads what was changed meanwhile.
func TestCopyIsBack(t *testing.T) {
	t.Parallel()
	for _, which := range []string{"near", "far"} {
		t.Run(which, func(t *testing.T) {
			t.Parallel()
			var link *harness.Link
			over := func(m *harness.Memcached) string { link = harness.StartLink(t, m.Addr); return link.Addr }
			toNear, toFar := over, straight
			if which == "far" {
				toNear, toFar = straight, over
			}
			s := startCopies(t, 2, toNear, toFar)
			a, b := harness.Dial(t, s.proxies[0].Addr), harness.Dial(t, s.proxies[1].Addr)
			for _, key := range []string{"set", "deleted", "touched", "kept"} {
				a.Ask("set "+key+" 0 0 3\r\nold\r\n", "STORED\r\n")
				b.Ask("get "+key+"\r\n", "VALUE "+key+" 0 3\r\nold\r\nEND\r\n")
			}
			link.Cut()
			harness.Await(t, "both proxies to notice", func() bool { return s.proxies[0].FoundServerDown() && s.proxies[1].FoundServerDown() })
			a.Ask("set set 0 0 3\r\nnew\r\n", "STORED\r\n")
			b.Ask("delete deleted\r\ntouch touched -1\r\n", "DELETED\r\nTOUCHED\r\n")
			link.Join(t)
			for _, m := range s.proxies {
				harness.Await(t, "the return", func() bool { return strings.Contains(m.Log(), " away=") })
			}
			for range 4 { // of both loops
				for _, m := range s.proxies {
					harness.Dial(t, m.Addr).Ask("get kept set deleted touched\r\nget set\r\nget deleted\r\nget touched\r\n",
						"VALUE kept 0 3\r\nold\r\nVALUE set 0 3\r\nnew\r\nEND\r\nVALUE set 0 3\r\nnew\r\nEND\r\nEND\r\nEND\r\n")
				}
			}
			returned := harness.Dial(t, map[string]*harness.Memcached{"near": s.near, "far": s.far}[which].Addr)
			if value := has(returned, "kept"); value != "old" {
				t.Errorf("what was not changed has the value %q where it came back", value)
			}
			for _, key := range []string{"set", "deleted", "touched"} {
				if value := has(returned, key); value == "old" {
					t.Errorf("%s still has its old value", key)
				}
			}
		})
	}
}
