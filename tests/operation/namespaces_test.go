package operation

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// A flush while a server is down says which server it has not reached, and is carried out there before the server is used again.
func TestFlushWhileAServerIsDown(t *testing.T) {
	t.Parallel()
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			well, fails := harness.StartMemcached(t, harness.Versions[0]), harness.StartMemcached(t, harness.Versions[1])
			link := harness.StartLink(t, fails.Addr)
			m := harness.StartMemverbs(t, "--upstream", well.Addr, "--upstream", link.Addr, "--timeout", "2s", "--on-down", "miss", "--loops", "2", "--namespaces", "user:")
			layout := harness.LayoutOf(t, []string{well.Addr, link.Addr})
			here, there, plain := harness.KeyOn(layout, 0, "user:"), harness.KeyOn(layout, 1, "user:"), harness.KeyOn(layout, 1, "plain")
			c := harness.Dial(t, m.Addr)
			for _, key := range []string{here, there, plain} {
				c.Ask(fmt.Sprintf("set %s 0 0 1\r\na\r\n", key), "STORED\r\n")
			}
			f.begin(t, fails, link)
			harness.Await(t, "the outage to be noticed without any request", func() bool { return m.FoundServerDown() })
			c.Ask("nsflush user:\r\n", "SERVER_ERROR not reached: "+link.Addr+"; they are to do it before they are used again\r\n")
			c.Ask(fmt.Sprintf("get %s %s\r\n", here, there), "END\r\n")
			f.end(t, fails, link)
			harness.Await(t, "the return", func() bool { return strings.Contains(m.Log(), "were deleted there\" upstream="+link.Addr+" keys=1") })
			for range 4 { // of both loops
				harness.Dial(t, m.Addr).Ask(fmt.Sprintf("get %s %s %s\r\n", here, there, plain), "VALUE "+plain+" 0 1\r\na\r\nEND\r\n")
			}
			c.Ask(fmt.Sprintf("set %s 0 0 1\r\nb\r\nget %s\r\n", there, there), "STORED\r\nVALUE "+there+" 0 1\r\nb\r\nEND\r\n")
		})
	}
}

// A reload that adds a namespace hides the items whose keys begin with it, and one that removes it brings them back. What was stored
// meanwhile is there when the namespace is added again. Clients that are at work are answered as ever.
func TestReloadOfNamespaces(t *testing.T) {
	t.Parallel()
	a, b := harness.StartMemcached(t, harness.Versions[0]), harness.StartMemcached(t, harness.Newest)
	r := &harness.Reloading{File: filepath.Join(t.TempDir(), "memverbs.yml")}
	addr := harness.FreeAddr(t)
	write := func(namespaces string) {
		text := fmt.Sprintf("loops: 2\npools:\n  main:\n    listen: [%q]\n    servers: [%q, %q]\n    namespaces: %s\n", addr, a.Addr, b.Addr, namespaces)
		if err := os.WriteFile(r.File, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(`["other:"]`)
	r.Memverbs = harness.StartMemverbsWith(t, r.File, addr)
	stop := make(chan struct{})
	var working sync.WaitGroup
	for i := range 4 {
		c := harness.Dial(t, addr)
		working.Go(func() { worksInSpace(t, c, i, stop) })
	}
	c := harness.Dial(t, addr)
	change := func(namespaces string) {
		write(namespaces)
		r.Reload(t, "msg=reloaded")
	}
	stored := func(value string) string { return fmt.Sprintf("VALUE user:k 0 %d\r\n%s\r\nEND\r\n", len(value), value) }
	c.Ask("set user:k 0 0 5\r\nplain\r\n", "STORED\r\n")
	change(`["other:", "user:"]`)
	c.Ask("get user:k\r\nset user:k 0 0 6\r\nspaced\r\nget user:k\r\n", "END\r\nSTORED\r\n"+stored("spaced"))
	change(`["other:"]`)
	c.Ask("get user:k\r\nnsflush user:\r\n", stored("plain")+"CLIENT_ERROR user: is no namespace; the namespaces of pool main are other:\r\n")
	change(`["other:", "user:"]`)
	c.Ask("get user:k\r\nnsflush user:\r\nget user:k\r\n", stored("spaced")+"OK\r\nEND\r\n")
	change(`["other:"]`)
	c.Ask("get user:k\r\n", stored("plain"))
	if n := r.OwnStats()["namespace_flushes"]; n != "1" {
		t.Errorf("%s flushes are counted", n)
	}
	close(stop)
	working.Wait()
}

// worksInSpace stores and reads a key until stop is closed. What is read is what was stored last, or nothing, or an item of the other
// form, which was stored earlier.
func worksInSpace(t *testing.T, c *harness.Client, client int, stop chan struct{}) {
	key := fmt.Sprintf("user:%d", client)
	for n := 1; ; n++ {
		select {
		case <-stop:
			return
		default:
		}
		text := fmt.Sprint(n)
		c.Ask(fmt.Sprintf("set %s 0 0 %d\r\n%s\r\n", key, len(text), text), "STORED\r\n")
		c.Send("get " + key + "\r\n")
		line := c.Line()
		if line == "END" {
			continue
		}
		value, end := c.Line(), c.Line()
		if line != fmt.Sprintf("VALUE %s 0 %d", key, len(value)) || end != "END" {
			t.Errorf("answered %q %q %q", line, value, end)
			return
		}
	}
}
