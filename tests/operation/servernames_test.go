package operation

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// A server that was given a name has it in the log, in error replies, in stats and at the admin server.
// It remains one server, by whatever names: its items count once, and no key is said to move when all stay
// there under another name.
func TestNamesOfServers(t *testing.T) {
	t.Parallel()
	store, addr, aside := harness.StartMemcached(t, harness.Newest), harness.FreeAddr(t), harness.FreeAddr(t)
	file := filepath.Join(t.TempDir(), "memverbs.yml")
	write := func(name string) {
		writeText(t, file, fmt.Sprintf("admin: 127.0.0.1:0\npools:\n  main:\n    layout: twemproxy:ketama:fnv1a_64\n    servers: ['%s:1%s']\n  other:\n    layout: twemproxy:ketama:fnv1a_64\n    servers: ['%s:1 other-name']\n"+
			"listeners:\n- listen: [%q]\n  routes: {'': main, 'o:': other}\n- listen: [%q]\n  routes: {'': other}\n", store.Addr, name, store.Addr, addr, aside))
	}
	write(" cache-c")
	m := harness.StartMemverbsWith(t, file, addr)
	name := store.Addr + " (cache-c)"
	c := harness.Dial(t, addr)
	c.Ask("set k 0 0 1\r\nx\r\n", "STORED\r\n")
	if n := m.Stats()["curr_items"]; n != "1" {
		t.Errorf("one item of a server with two names counts as %s", n)
	}
	if told := strings.Join(askStats(t, addr, "upstreams"), "\n"); !strings.Contains(told, "STAT upstream_0_address "+name+"\n") {
		t.Errorf("stats upstreams: %s", told)
	}
	url := "http://" + regexp.MustCompile(`admin=(\S+)`).FindStringSubmatch(m.Log())[1]
	for path, says := range map[string]string{
		"/metrics":     `memverbs_upstream_up{pool="main",upstream="` + name + `"} 1`,
		"/status.json": `"upstreams":[{"name":"` + name + `",`,
	} {
		if _, text := fetch(t, url+path); !strings.Contains(text, says) {
			t.Errorf("%s does not have %s:\n%s", path, says, text)
		}
	}
	write(" cache-d")
	if err := syscall.Kill(m.Pid(), syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	name = store.Addr + " (cache-d)"
	harness.Await(t, "the reload", func() bool { return strings.Contains(m.Log(), "msg=reloaded") })
	store.Kill(t)
	harness.Await(t, "the outage", func() bool { return strings.Contains(m.Log(), `pool=main upstream="`+name+`" reason=`) })
	c.Send("get k\r\n")
	if line := c.Line(); !strings.HasPrefix(line, "SERVER_ERROR upstream "+name+" ") {
		t.Errorf("the error of its absence is %q", line)
	}
	for _, says := range []string{
		`upstreams="[` + store.Addr + ` (cache-c) ` + store.Addr + ` (other-name)]"`,
		`added="[` + name + `]" removed="[` + store.Addr + ` (cache-c)]" keys-that-move=0.0%`,
	} {
		if !strings.Contains(m.Log(), says) {
			t.Errorf("the log does not say %s:\n%s", says, m.Log())
		}
	}
}
