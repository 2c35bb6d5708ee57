package tests

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// Clients that begin large sets and do not go on: those that have not moved for
// longest are refused, with the words that memcached has for that, and stay in step.
func TestUnfinishedSetsAreGivenUp(t *testing.T) {
	t.Parallel()
	const clients, size, sent = 1500, 1_000_000, 900_000
	store := harness.StartMemcached(t, harness.Newest, "-m", "1024")
	m := harness.StartPlainMemverbs(t, "--upstream", store.Addr)
	bystander := harness.Dial(t, m.Addr)
	bystander.Ask("set k0 0 0 3\r\nold\r\nset k1 0 0 3\r\nold\r\n", "STORED\r\nSTORED\r\n")
	conns := make([]*harness.Client, clients)
	half := strings.Repeat("x", sent)
	for i := range conns {
		conns[i] = harness.Dial(t, m.Addr)
		conns[i].Send(fmt.Sprintf("set k%d 0 0 %d\r\n", i, size))
		conns[i].Send(half)
	}
	bystander.Ask("set small 0 0 2\r\nok\r\nget small\r\n", "STORED\r\nVALUE small 0 2\r\nok\r\nEND\r\n")
	checkRoom(t, m)
	rest := strings.Repeat("x", size-sent) + "\r\nmn\r\n"
	refused := 0
	for i, c := range conns {
		c.Send(rest)
		line := c.Line()
		switch line {
		case "SERVER_ERROR out of memory storing object":
			refused++
		case "STORED":
		default:
			t.Fatalf("client %d was answered by %q", i, line)
		}
		c.Expect("MN\r\n")
		c.Close()
	}
	if refused < clients/2 || refused == clients {
		t.Errorf("%d of %d sets were refused", refused, clients)
	}
	bystander.Ask("get k0 k1\r\n", "END\r\n") // nobody takes the old value for the new one
	checkRoom(t, m)
	if n := m.OwnStats()["requests_given_up"]; n == "0" {
		t.Errorf("%s requests were given up", n)
	}
}

// Clients that ask for large values and do not read them: those that are owed most are
// cut off.
func TestUnreadRepliesAreBounded(t *testing.T) {
	t.Parallel()
	const clients, gets, size = 100, 64, 1_000_000
	store := harness.StartMemcached(t, harness.Newest)
	m := harness.StartPlainMemverbs(t, "--upstream", store.Addr, "--timeout", "10s") // on a machine that does much else
	bystander := harness.Dial(t, m.Addr)
	bystander.Ask(fmt.Sprintf("set big 0 0 %d\r\n%s\r\n", size, strings.Repeat("v", size)), "STORED\r\n")
	var all sync.WaitGroup
	for range clients {
		c := harness.Dial(t, m.Addr)
		all.Go(func() { io.WriteString(c.Conn(), strings.Repeat("get big\r\n", gets)) })
	}
	all.Wait()
	harness.Await(t, "the proxy to ask for nothing more", func() bool {
		before := asked(t, m)
		for range 50 {
			bystander.Ask("get none\r\n", "END\r\n")
		}
		return asked(t, m)-before <= 50
	})
	checkRoom(t, m)
	bystander.Ask("set small 0 0 2\r\nok\r\nget small\r\n", "STORED\r\nVALUE small 0 2\r\nok\r\nEND\r\n")
}
