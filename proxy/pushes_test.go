package proxy

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memverbs/memverbs/cmd/memverbs/embedded"
	"github.com/memverbs/memverbs/proxy/config"
)

// Clients that push without waiting for answers are not held up by their own pushes, however short
// the items of memcached are, none is refused, and the pushes of each stay in order.
func TestPushesOfOneClientDontWaitForEachOther(t *testing.T) {
	store, err := embedded.New(64<<20, 4096)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(store.Close)
	const timeout = 20 * time.Second
	var clients []net.Conn
	for range 3 { // proxies, each with one loop and one client
		s := newServer(1, config.Upstream{Name: "e", Dial: func(context.Context) (net.Conn, error) { return store.Dial() }})
		s.shared.Config.Pools[0].Timeout = timeout
		start(t, s)
		clients = append(clients, dialServer(t, s))
	}
	for round := range 10 {
		key := fmt.Sprint("q", round)
		var all sync.WaitGroup
		begun := time.Now()
		for n, conn := range clients {
			all.Go(func() { push(t, conn, key, n) })
		}
		all.Wait()
		if took := time.Since(begun); took > timeout {
			t.Fatalf("round %d took %v: a hold has expired", round, took)
		}
		checkPushed(t, clients[0], key, len(clients))
	}
}

// pushes is how many values each client pushes, and pipelined how many of these at a time.
const pushes, pipelined = 720, 12

// push pushes the values of client n.
func push(t *testing.T, conn net.Conn, key string, n int) {
	in := bufio.NewReader(conn)
	for i := 0; i < pushes; {
		var b strings.Builder
		for range pipelined {
			fmt.Fprintf(&b, "rpush %s %d-%04d%s\r\n", key, n, i, strings.Repeat("x", 80))
			i++
		}
		_, _ = io.WriteString(conn, b.String())
		for range pipelined {
			if line, err := in.ReadString('\n'); err != nil || line != "STORED\r\n" {
				t.Errorf("%s: %q, %v", key, line, err)
				return
			}
		}
	}
}

// checkPushed checks that a list has all values, those of each client in order.
func checkPushed(t *testing.T, conn net.Conn, key string, clients int) {
	t.Helper()
	_, _ = io.WriteString(conn, "lrange "+key+"\r\n")
	in := bufio.NewReader(conn)
	_, _ = in.ReadString('\n')
	values, _ := in.ReadString('\n')
	_, _ = in.ReadString('\n')
	last := map[byte]string{}
	for _, value := range strings.Fields(values) {
		if value <= last[value[0]] {
			t.Fatalf("%s: %.6s comes after %.6s", key, value, last[value[0]])
		}
		last[value[0]] = value
	}
	if n := len(strings.Fields(values)); n != clients*pushes {
		t.Errorf("%s has %d values, expected %d", key, n, clients*pushes)
	}
}
