package tests

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// faults are ways in which a server fails, and how that ends. Its items survive all but one.
var faults = []struct {
	name       string
	begin, end func(t *testing.T, m *harness.Memcached, link *harness.Link)
	survives   bool
}{
	{"killed", func(t *testing.T, m *harness.Memcached, _ *harness.Link) { m.Kill(t) }, func(t *testing.T, m *harness.Memcached, _ *harness.Link) { m.Restart(t) }, false},
	{"frozen", func(t *testing.T, m *harness.Memcached, _ *harness.Link) { m.Freeze(t) }, func(t *testing.T, m *harness.Memcached, _ *harness.Link) { m.Thaw(t) }, true},
	{"cut off", func(t *testing.T, _ *harness.Memcached, link *harness.Link) {
		link.Add(t, harness.Toxic{Type: "timeout", Stream: "upstream", Toxicity: 1, Attributes: map[string]any{"timeout": 0}})
	}, func(_ *testing.T, _ *harness.Memcached, link *harness.Link) { link.Mend() }, true},
}

// isDown reports whether memverbs has found a server down: in one of its loops it may be so
// early that the server could not be reached at all.
func isDown(m *harness.Memverbs) bool {
	return strings.Contains(m.Log(), "upstream is down") || strings.Contains(m.Log(), "upstream can't be reached")
}

// While a server is down in any way, gets of its keys are misses, whatever else is refused, and
// others' keys are served. A second proxy that still reaches it changes a value: after the
// return, the proxy that was cut off flushes the server, so nobody reads outdated values.
func TestOnDownAndOnReturn(t *testing.T) {
	t.Parallel()
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			well, fails := harness.StartMemcached(t, harness.Versions[0]), harness.StartMemcached(t, harness.Versions[1])
			link := harness.StartLink(t, fails.Addr)
			m := harness.StartMemverbs(t, "--upstream", well.Addr, "--upstream", link.Addr, "--timeout", "300ms", "--on-down", "miss", "--on-return", "flush")
			layout := layoutOf(t, []string{well.Addr, link.Addr})
			here, there := keyOn(layout, 0, "key"), keyOn(layout, 1, "key")
			c := harness.Dial(t, m.Addr)
			c.Ask(fmt.Sprintf("set %s 0 0 1\r\na\r\nset %s 0 0 1\r\nb\r\n", here, there), "STORED\r\nSTORED\r\n")
			f.begin(t, fails, link)
			harness.Await(t, "the outage to be noticed without any request", func() bool { return isDown(m) })
			c.Ask("get "+there+"\r\n", "END\r\n")
			c.Ask(fmt.Sprintf("get %s %s\r\n", there, here), "VALUE "+here+" 0 1\r\na\r\nEND\r\n")
			for _, request := range []string{"set " + there + " 0 0 1\r\nc\r\n", "delete " + there + "\r\n", "sadd " + there + " m\r\n", "smembers " + there + "\r\n"} {
				c.Send(request)
				if line := c.Line(); !strings.HasPrefix(line, "SERVER_ERROR upstream "+link.Addr+" ") {
					t.Errorf("%q was answered by %q", request, line)
				}
			}
			f.end(t, fails, link)
			harness.Await(t, "the return", func() bool { return strings.Contains(m.Log(), "upstream was flushed on its return") })
			c.Ask(fmt.Sprintf("get %s %s\r\n", there, here), "VALUE "+here+" 0 1\r\na\r\nEND\r\n")
			c.InStep()
		})
	}
}

// Without a flush, the log says that a server which was down may have outdated values, and they
// are there.
func TestKeepOnReturn(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, harness.Versions[2])
	m := harness.StartMemverbs(t, "--upstream", store.Addr, "--timeout", "300ms")
	c := harness.Dial(t, m.Addr)
	c.Ask("set k 0 0 1\r\na\r\n", "STORED\r\n")
	store.Freeze(t)
	harness.Await(t, "the outage", func() bool { return isDown(m) })
	store.Thaw(t)
	harness.Await(t, "the warning", func() bool { return strings.Contains(m.Log(), "with on-return: flush it is flushed first") })
	c.Ask("get k\r\n", "VALUE k 0 1\r\na\r\nEND\r\n")
}

// One proxy of two is cut off from a server and has it flushed when it is back; structures that
// the other one changes meanwhile are lost as wholes, never in part.
func TestStructuresOfAServerThatIsFlushed(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, harness.Versions[2])
	link := harness.StartLink(t, store.Addr)
	cut := harness.StartMemverbs(t, "--upstream", link.Addr, "--timeout", "300ms", "--on-return", "flush", "--structure-item-size", "1KB")
	other := harness.StartMemverbs(t, "--upstream", store.Addr, "--structure-item-size", "1KB")
	a, b := harness.Dial(t, cut.Addr), harness.Dial(t, other.Addr)
	link.Add(t, harness.Toxic{Type: "timeout", Stream: "upstream", Toxicity: 1, Attributes: map[string]any{"timeout": 0}})
	harness.Await(t, "the outage", func() bool { return isDown(cut) })
	for i := range 500 {
		b.Ask(fmt.Sprintf("sadd set member%d\r\n", i), "STORED\r\n")
	}
	b.Ask("scard set\r\n", "500\r\n")
	link.Mend()
	harness.Await(t, "the return", func() bool { return strings.Contains(cut.Log(), "upstream was flushed on its return") })
	for _, c := range []*harness.Client{a, b} {
		c.Ask("scard set\r\n", "NOT_FOUND\r\n")
	}
	b.Ask("sadd set x\r\n", "STORED\r\n")
	a.Ask("smembers set\r\n", "VALUE set 0 1\r\nx\r\nEND\r\n")
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
	harness.Await(t, "the outage", func() bool { return isDown(m) })
	c.Ask("get k\r\nset k 0 0 1\r\nb\r\nget k\r\n", "END\r\nSTORED\r\nVALUE k 0 1\r\nb\r\nEND\r\n")
	harness.Dial(t, spare.Addr).Ask("mg k t v\r\n", "VA 1 t10\r\nb\r\n")
	c.Send("sadd s m\r\n")
	if line := c.Line(); !strings.HasPrefix(line, "SERVER_ERROR upstream "+main.Addr) {
		t.Errorf("sadd was answered by %q", line)
	}
}
