package operation

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// faults are ways in which a server fails, and how that ends. Its items survive all of them.
var faults = []struct {
	name       string
	begin, end func(t *testing.T, m *harness.Memcached, link *harness.Link)
}{
	// As of a server that is started again, and has kept its items.
	{"restarted", func(_ *testing.T, _ *harness.Memcached, link *harness.Link) { link.Cut() }, func(t *testing.T, _ *harness.Memcached, link *harness.Link) { link.Join(t) }},
	{"frozen", func(t *testing.T, m *harness.Memcached, _ *harness.Link) { m.Freeze(t) }, func(t *testing.T, m *harness.Memcached, _ *harness.Link) { m.Thaw(t) }},
	{"cut off", func(t *testing.T, _ *harness.Memcached, link *harness.Link) {
		link.Add(t, harness.Toxic{Type: "timeout", Stream: "upstream", Toxicity: 1, Attributes: map[string]any{"timeout": 0}})
	}, func(t *testing.T, _ *harness.Memcached, link *harness.Link) { link.Mend(t) }},
}

// While a server is down in any way, gets of its keys are misses, whatever else is refused, and
// others' keys are served. After the return, what clients of this proxy tried to change is gone, and all
// else is there, also what another proxy that still reached the server has stored.
func TestOnDownAndOnReturn(t *testing.T) {
	t.Parallel()
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			well, fails := harness.StartMemcached(t, harness.Versions[0]), harness.StartMemcached(t, harness.Versions[1])
			link := harness.StartLink(t, fails.Addr)
			m := harness.StartMemverbs(t, "--upstream", well.Addr, "--upstream", link.Addr, "--timeout", "300ms", "--on-down", "miss", "--loops", "2")
			layout := harness.LayoutOf(t, []string{well.Addr, link.Addr})
			here, there, other := harness.KeyOn(layout, 0, "key"), harness.KeyOn(layout, 1, "key"), harness.KeyOn(layout, 1, "other")
			c := harness.Dial(t, m.Addr)
			c.Ask(fmt.Sprintf("set %s 0 0 1\r\na\r\nset %s 0 0 1\r\nb\r\nset %s 0 0 1\r\nd\r\n", here, there, other), "STORED\r\nSTORED\r\nSTORED\r\n")
			f.begin(t, fails, link)
			harness.Await(t, "the outage to be noticed without any request", func() bool { return m.FoundServerDown() })
			c.Ask("get "+there+"\r\n", "END\r\n")
			c.Ask(fmt.Sprintf("get %s %s\r\n", there, here), "VALUE "+here+" 0 1\r\na\r\nEND\r\n")
			for _, request := range []string{"set " + there + " 0 0 1\r\nc\r\n", "delete " + there + "\r\n", "sadd " + there + " m\r\n", "smembers " + there + "\r\n", "append " + other + " 0 0 1\r\nx\r\n"} {
				c.Send(request)
				if line := c.Line(); !strings.HasPrefix(line, "SERVER_ERROR upstream "+link.Addr+" ") {
					t.Errorf("%q was answered by %q", request, line)
				}
			}
			f.end(t, fails, link)
			harness.Await(t, "the return", func() bool { return strings.Contains(m.Log(), " refused=7\n") })
			c.Ask(fmt.Sprintf("get %s %s %s\r\n", there, here, other), "VALUE "+here+" 0 1\r\na\r\nVALUE "+other+" 0 1\r\nd\r\nEND\r\n")
			c.InStep()
		})
	}
}

// With keep, everything is as it was.
func TestKeepOnReturn(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, harness.Versions[2])
	m := harness.StartMemverbs(t, "--upstream", store.Addr, "--timeout", "300ms", "--on-return", "keep")
	c := harness.Dial(t, m.Addr)
	c.Ask("set k 0 0 1\r\na\r\n", "STORED\r\n")
	store.Freeze(t)
	harness.Await(t, "the outage", func() bool { return m.FoundServerDown() })
	c.Send("delete k\r\n")
	c.Line()
	store.Thaw(t)
	harness.Await(t, "the return", func() bool { return strings.Contains(m.Log(), " refused=1\n") })
	c.Ask("get k\r\n", "VALUE k 0 1\r\na\r\nEND\r\n")
}

// One proxy of two is cut off from a server, or is started before its network: it empties nothing when it
// reaches the server, though it may where it has forgotten something.
func TestNothingIsFlushedWithoutNeed(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, harness.Versions[2])
	link, late := harness.StartLink(t, store.Addr), harness.StartLink(t, store.Addr)
	late.Cut()
	cut := harness.StartMemverbs(t, "--upstream", link.Addr, "--timeout", "300ms", "--on-return", "flush")
	early := harness.StartMemverbs(t, "--upstream", late.Addr, "--on-return", "flush")
	b := harness.Dial(t, harness.StartMemverbs(t, "--upstream", store.Addr).Addr)
	link.Add(t, harness.Toxic{Type: "timeout", Stream: "upstream", Toxicity: 1, Attributes: map[string]any{"timeout": 0}})
	harness.Await(t, "both outages", func() bool { return cut.FoundServerDown() && early.FoundServerDown() })
	b.Ask("sadd set a b\r\nset k 0 0 1\r\nx\r\n", "STORED\r\nSTORED\r\n")
	link.Mend(t)
	late.Join(t)
	harness.Await(t, "the return", func() bool {
		return strings.Contains(cut.Log(), "upstream is up\" upstream="+link.Addr+" version=1.6.45 away=")
	})
	harness.Await(t, "the warning", func() bool { return strings.Contains(early.Log(), "it was away when memverbs started") })
	for _, m := range []*harness.Memverbs{cut, early} {
		harness.Dial(t, m.Addr).Ask("scard set\r\nget k\r\n", "2\r\nVALUE k 0 1\r\nx\r\nEND\r\n")
	}
}

// A successor knows what its predecessor could not delete, before and after the takeover.
func TestTakeoverInAnOutage(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, harness.Versions[0])
	link := harness.StartLink(t, store.Addr)
	addr, direct := harness.FreeAddr(t), harness.Dial(t, store.Addr)
	direct.Ask("set early 0 0 1\r\na\r\nset late 0 0 1\r\nb\r\nset other 0 0 1\r\nc\r\n", "STORED\r\nSTORED\r\nSTORED\r\n")
	s := harness.StartSuccession(t, "--listen", addr, "--upstream", link.Addr, "--connect-timeout", "100ms", "--drain", "20s")
	c := harness.Dial(t, addr)
	link.Cut()
	harness.Await(t, "the outage", func() bool {
		return strings.Contains(s.Log(), "upstream can't be reached") || strings.Contains(s.Log(), "upstream is down")
	})
	refused := func(request string) {
		t.Helper()
		c.Send(request)
		if line := c.Line(); !strings.HasPrefix(line, "SERVER_ERROR ") {
			t.Errorf("%q was answered by %q", request, line)
		}
	}
	refused("delete early\r\n")
	c.Send("set late 0 0 1\r\n") // the rest comes when the successor serves clients
	s.Succeed(t)
	refused("x\r\n")
	c.Close()
	s.AwaitStopped(t, 1)
	harness.Await(t, "the rest", func() bool { return strings.Contains(s.Log(), "what has become outdated since") })
	link.Join(t)
	harness.Await(t, "the return", func() bool { return strings.Contains(s.Log(), "were deleted there\" upstream="+link.Addr+" keys=2") })
	harness.Dial(t, addr).Ask("get early late other\r\n", "VALUE other 0 1\r\nc\r\nEND\r\n")
	if strings.Contains(s.Log(), "away when memverbs started") {
		t.Error("the successor says that it knows nothing")
	}
}

// A spare pool, in a file, has the keys of a server that is down.
func TestSparePool(t *testing.T) {
	t.Parallel()
	main, spare := harness.StartMemcached(t, harness.Versions[0]), harness.StartMemcached(t, harness.Versions[1])
	file, addr := filepath.Join(t.TempDir(), "memverbs.yml"), harness.FreeAddr(t)
	text := fmt.Sprintf("pools:\n  main:\n    listen: [%q]\n    servers: [%q]\n    on-down: spare:spare\n  spare:\n    servers: [%q]\n", addr, main.Addr, spare.Addr)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	m := harness.StartMemverbsWith(t, file, addr)
	c := harness.Dial(t, m.Addr)
	c.Ask("set k 0 0 1\r\na\r\n", "STORED\r\n")
	main.Kill(t)
	harness.Await(t, "the outage", func() bool { return m.FoundServerDown() })
	c.Ask("get k\r\nset k 0 0 1\r\nb\r\nget k\r\n", "END\r\nSTORED\r\nVALUE k 0 1\r\nb\r\nEND\r\n")
	harness.Dial(t, spare.Addr).Ask("mg k t v\r\n", "VA 1 t10\r\nb\r\n")
	c.Send("sadd s m\r\n")
	if line := c.Line(); !strings.HasPrefix(line, "SERVER_ERROR upstream "+main.Addr) {
		t.Errorf("sadd was answered by %q", line)
	}
}
