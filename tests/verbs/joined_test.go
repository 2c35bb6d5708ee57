package verbs

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// What many clients add to a set while an append to it is under way goes out
// as one, and each client is told what became of it.
func TestAppendsToOneSetAreJoined(t *testing.T) {
	t.Parallel()
	const clients = 60
	store := harness.StartMemcached(t, "1.6.38")
	m := harness.StartMemverbs(t, "--upstream", store.Addr, "--loops", "1", "--timeout", "20s")
	first := harness.Dial(t, m.Addr)
	first.Ask("sadd s gone\r\n", "STORED\r\n")
	before := store.Stats()["cmd_set"]

	store.Freeze(t)
	var all []*harness.Client
	send := func(request, verb string, count int) {
		c := harness.Dial(t, m.Addr)
		c.Send(request)
		all = append(all, c)
		harness.Await(t, "the request to arrive", func() bool { return m.OwnStats()["verb_"+verb] == strconv.Itoa(count) })
	}
	for i := range clients {
		send(fmt.Sprintf("sadd s m%d\r\n", i), "sadd", i+2)
	}
	send("srem s m7 gone\r\n", "srem", 1)
	send("sadd s m7\r\n", "sadd", clients+2)
	store.Thaw(t)
	for _, c := range all {
		c.Expect("STORED\r\n")
		c.InStep()
	}

	first.Ask("scard s\r\n", fmt.Sprintf("%d\r\n", clients))
	first.Ask("sismember s m0 m7 gone\r\n", "1 1 0\r\n")
	if after := store.Stats()["cmd_set"]; harness.Difference(after, before) > 4 { // the first, the others that add, one that removes, the last
		t.Errorf("%s appends were %s before %d clients made their changes", after, before, clients+2)
	}
}

// What one client adds in a row is joined too, and is in order with what else
// it asks for.
func TestAppendsOfOneClientAreJoined(t *testing.T) {
	t.Parallel()
	const adds = 100
	store := harness.StartMemcached(t, "1.6.38")
	m := harness.StartMemverbs(t, "--upstream", store.Addr)
	c := harness.Dial(t, m.Addr)
	c.Ask("sadd s gone\r\n", "STORED\r\n")
	before := store.Stats()["cmd_set"]

	var requests, replies strings.Builder
	for i := range adds {
		fmt.Fprintf(&requests, "sadd s m%d\r\n", i)
	}
	requests.WriteString("srem s m7 gone\r\nsrem s m8\r\nscard s\r\nsadd s m7\r\nsismember s m7 m8 gone\r\n")
	replies.WriteString(strings.Repeat("STORED\r\n", adds+2))
	fmt.Fprintf(&replies, "%d\r\nSTORED\r\n1 0 0\r\n", adds-2)
	c.Ask(requests.String(), replies.String())

	// The first, those that wait for it, the removals likewise, and the last; a
	// few more if the requests did not arrive in one piece.
	if after := store.Stats()["cmd_set"]; harness.Difference(after, before) > adds/4 {
		t.Errorf("%s sets were %s before %d changes", after, before, adds+3)
	}
}

// Appends to a set that are refused are refused for everybody who asked.
func TestJoinedAppendsAreRefusedTogether(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, "1.6.38")
	m := harness.StartMemverbs(t, "--upstream", store.Addr, "--loops", "1", "--timeout", "300ms")
	store.Freeze(t)
	var all []*harness.Client
	for i := range 20 {
		c := harness.Dial(t, m.Addr)
		c.Send(fmt.Sprintf("sadd s m%d\r\n", i))
		all = append(all, c)
	}
	for _, c := range all {
		c.Expect("SERVER_ERROR upstream " + store.Addr)
		c.Line()
		c.InStep()
	}
	store.Thaw(t)
	c := harness.Dial(t, m.Addr)
	harness.Await(t, "the upstream to be used again", func() bool {
		c.Send("sadd s late\r\n")
		return c.Line() == "STORED"
	})
	c.Ask("sismember s late\r\n", "1\r\n")
}
