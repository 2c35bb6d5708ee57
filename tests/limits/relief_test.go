package limits

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
	const clients, size, sent, memory = 400, 1_000_000, 900_000, 64 << 20
	store := harness.StartMemcached(t, harness.Newest, "-m", "1024")
	m := harness.StartPlainMemverbs(t, "--upstream", store.Addr, "--buffer-memory", fmt.Sprint(memory))
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
	m.CheckBuffers(t, memory)
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
	m.CheckBuffers(t, memory)
	if n := m.OwnStats()["requests_given_up"]; n == "0" {
		t.Errorf("%s requests were given up", n)
	}
	if n := m.Stats()["store_no_memory"]; n != fmt.Sprint(refused) {
		t.Errorf("store_no_memory is %s, and %d sets were refused", n, refused)
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
		before := m.Sent(t)
		for range 50 {
			bystander.Ask("get none\r\n", "END\r\n")
		}
		return m.Sent(t)-before <= 50
	})
	m.CheckBuffers(t, bufferMemory)
	bystander.Ask("set small 0 0 2\r\nok\r\nget small\r\n", "STORED\r\nVALUE small 0 2\r\nok\r\nEND\r\n")
}

// littleMemory is less than what clients ask for in the tests that follow, in bytes,
// though none of them asks for much.
const littleMemory = 32 << 20

// Clients are owed little each, but together too much: replies that are there wait
// behind one of an upstream that hangs.
func TestHeldRepliesAreBounded(t *testing.T) {
	t.Parallel()
	const clients, size = 1500, 100_000
	hanging, healthy := harness.StartMemcached(t, harness.Newest), harness.StartMemcached(t, harness.Newest)
	m := harness.StartPlainMemverbs(t, "--upstream", hanging.Addr, "--upstream", healthy.Addr, "--buffer-memory", "32MB", "--timeout", "10s")
	there, c := harness.Dial(t, healthy.Addr), harness.Dial(t, m.Addr)
	var keys, others []string // there, and on the one that hangs
	for n := 0; len(keys) < 2 || len(others) < 1; n++ {
		key := fmt.Sprintf("key%d", n)
		c.Ask("set "+key+" 0 0 2\r\nok\r\n", "STORED\r\n")
		if there.Send("mg " + key + "\r\n"); there.Line() == "HD" {
			keys = append(keys, key)
		} else {
			others = append(others, key)
		}
	}
	small, large := keys[0], keys[1]
	c.Ask(fmt.Sprintf("set %s 0 0 %d\r\n%s\r\n", large, size, strings.Repeat("v", size)), "STORED\r\n")
	hanging.Freeze(t)
	for range clients {
		one := harness.Dial(t, m.Addr)
		one.Ask("get "+small+"\r\n", "VALUE "+small+" 0 2\r\nok\r\nEND\r\n") // so more is asked for at a time
		one.Send("get " + others[0] + "\r\nget " + large + "\r\nget " + large + "\r\n")
	}
	harness.Await(t, "clients to be cut off", func() bool { return m.OwnStats()["clients_cut_off"] != "0" })
	c.Ask("mg "+large+"\r\n", "HD\r\n")
	m.CheckBuffers(t, littleMemory)
	hanging.Thaw(t)
}

// Clients that have sent a little of a request each, and do not go on, keep nobody from
// what takes much memory.
func TestSmallUnfinishedRequestsAreGivenUp(t *testing.T) {
	t.Parallel()
	const clients = 1200
	store := harness.StartMemcached(t, harness.Newest)
	m := harness.StartPlainMemverbs(t, "--upstream", store.Addr, "--buffer-memory", "32MB")
	c := harness.Dial(t, m.Addr)
	var members strings.Builder
	for n := range 60_000 {
		fmt.Fprintf(&members, " m%d", n)
	}
	c.Ask("sadd large"+members.String()+"\r\n", "STORED\r\n")
	for n := range clients {
		harness.Dial(t, m.Addr).Send(fmt.Sprintf("set k%d 0 0 60000\r\n%s", n, strings.Repeat("x", 4000)))
	}
	harness.Await(t, "requests to be given up", func() bool { return m.OwnStats()["requests_given_up"] != "0" })
	for range 5 {
		c.Ask("scard large\r\n", "60000\r\n")
	}
	if n := m.OwnStats()["clients_cut_off"]; n != "0" {
		t.Errorf("%s clients were cut off", n)
	}
	m.CheckBuffers(t, littleMemory)
}
