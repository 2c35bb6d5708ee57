package operation

import (
	"net"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// localhost is one server, though it may have an address of either family.
func TestUpstreamByName(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, harness.Versions[0])
	_, port, err := net.SplitHostPort(store.Addr)
	if err != nil {
		t.Fatal(err)
	}
	m := harness.StartMemverbs(t, "--upstream", "localhost:"+port, "--loops", "2")
	clients := []*harness.Client{harness.Dial(t, m.Addr), harness.Dial(t, m.Addr), harness.Dial(t, m.Addr)}
	clients[0].Ask("set k 0 0 5\r\nvalue\r\n", "STORED\r\n")
	for _, c := range clients {
		c.Ask("get k\r\n", "VALUE k 0 5\r\nvalue\r\nEND\r\n")
	}
	store.Kill(t)
	store.Restart(t)
	for _, c := range clients {
		harness.Await(t, "the upstream to be back", func() bool {
			c.Send("delete k\r\n")
			return c.Line() == "NOT_FOUND"
		})
	}
}

// A name that can't be looked up is no error at the start. Clients and the log
// are told of it, but not of the name servers that were asked.
func TestUpstreamWithoutAddress(t *testing.T) {
	t.Parallel()
	m := harness.StartMemverbs(t, "--upstream", "cache1.invalid:11211")
	c := harness.Dial(t, m.Addr)
	var line string
	harness.Await(t, "the lookup to end", func() bool {
		c.Send("get k\r\n")
		line = c.Line()
		return strings.Contains(line, " is down: ")
	})
	if !strings.HasPrefix(line, "SERVER_ERROR upstream cache1.invalid:11211 is down: cache1.invalid: ") {
		t.Errorf("get was answered by %q", line)
	}
	harness.Await(t, "the log to say so", func() bool { return strings.Contains(m.Log(), `reason="cache1.invalid: `) })
	for _, said := range []string{line, m.Log()} {
		// The net package writes a name server as "10.0.0.2:53: "; a log line's
		// time can end in ":53" as well, but no colon comes after it.
		if strings.Contains(said, ":53: ") || strings.Contains(said, "lookup ") {
			t.Errorf("%q tells how the name was looked up", said)
		}
	}
}
