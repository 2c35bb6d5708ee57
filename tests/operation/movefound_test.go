package operation

import (
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/securetest"
)

// setMany stores values that findMany finds.
func setMany(c *harness.Client) {
	for i := range 200 {
		c.Ask(fmt.Sprintf("set k%d 0 0 1\r\nv\r\n", i), "STORED\r\n")
	}
}

func findMany(c *harness.Client) {
	for i := range 200 {
		c.Ask(fmt.Sprintf("get k%d\r\n", i), fmt.Sprintf("VALUE k%d 0 1\r\nv\r\nEND\r\n", i))
	}
}

// Keys move with their items to a server that a name lists since lately.
func TestKeysMoveToServersThatAreFound(t *testing.T) {
	t.Parallel()
	f, _ := startFound(t, 3, 2, "1m")
	m := f.start(t, f.file+".moves", "settle: 4s", "move: copy")
	c := harness.Dial(t, m.Addr)
	harness.Await(t, "the servers", func() bool { return storesAll(c) })
	setMany(c)
	f.list(t, 3)
	awaitMove(t, func() bool { return strings.Contains(m.Log(), "plain keys have moved") })
	findMany(c)
}

// Keys move with their items between servers that speak TLS and ask for a certificate.
func TestKeysMoveOverTLS(t *testing.T) {
	t.Parallel()
	a := securetest.NewAuthority(t)
	p := a.IssueFor("cache")
	var servers []string
	for range 3 {
		_, addr := harness.StartSecureMemcached(t, harness.Newest, p.Cert, p.Key, "-o", "ssl_verify_mode=2,ssl_ca_cert="+a.File)
		servers = append(servers, addr)
	}
	addr := harness.FreeAddr(t)
	text := func(n int) string {
		return fmt.Sprintf("pools:\n  main:\n    listen: [%q]\n    servers: [%s]\n    server-tls-ca: %s\n    server-tls-cert: %s\n    server-tls-key: %s\n    server-tls-name: cache\n    settle: 2s\n    move: copy\n",
			addr, strings.Join(servers[:n], ", "), a.File, p.Cert, p.Key)
	}
	file := harness.PrivateFile(t, text(2))
	m := harness.StartMemverbsWith(t, file, addr)
	c := harness.Dial(t, addr)
	harness.Await(t, "the servers", func() bool { return storesAll(c) }) // memcached may refuse the first handshakes
	setMany(c)
	writeText(t, file, text(3))
	if err := syscall.Kill(m.Pid(), syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	awaitMove(t, func() bool { return strings.Contains(m.Log(), "plain keys have moved") })
	findMany(c)
}

// Keys in namespaces have no place in a move: where they are to be, they miss until they are stored, and a flush reaches what was stored.
func TestKeysInNamespacesMissWhileOthersMove(t *testing.T) {
	t.Parallel()
	stores := fourStores(t)
	s := startMoving(t, stores, 3, "2s", `namespaces: ["user:"]`)
	c := harness.Dial(t, s.Addr)
	moves, stays, plain := s.key(t, 3, 0, 4, 3, "user:m"), s.key(t, 3, 0, 4, 0, "user:s"), s.key(t, 3, 0, 4, 3, "plain")
	for _, key := range []string{moves, stays, plain} {
		c.Ask("set "+key+" 0 0 1\r\nv\r\n", "STORED\r\n")
	}
	s.change(t, 4)
	awaitAnswer(t, c, "get "+plain+"\r\n", "VALUE "+plain+" 0 1\r\nv\r\nEND\r\n")
	c.Ask(fmt.Sprintf("get %[1]s\r\nset %[1]s 0 0 1\r\nw\r\n", moves), "END\r\nSTORED\r\n")
	asked := fmt.Sprintf("VALUE %s 0 1\r\nw\r\nVALUE %s 0 1\r\nv\r\nEND\r\n", moves, stays)
	awaitMove(t, func() bool {
		c.Ask("get "+moves+" "+stays+"\r\n", asked)
		return s.moved() > 0
	})
	c.Ask("get "+plain+"\r\n", "VALUE "+plain+" 0 1\r\nv\r\nEND\r\n")
	c.Ask("nsflush user:\r\nget "+moves+" "+stays+"\r\n", "OK\r\nEND\r\n")
	s.change(t, 3)
	awaitMove(t, func() bool { return s.moved() > 1 })
	c.Ask("get "+moves+" "+stays+" "+plain+"\r\n", "VALUE "+plain+" 0 1\r\nv\r\nEND\r\n")
}
