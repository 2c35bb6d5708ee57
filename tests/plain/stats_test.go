package plain

import (
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// The proxy counts as memcached does, from the start and after stats reset.
func TestStatsCountAsMemcachedDoes(t *testing.T) {
	t.Parallel()
	m := harness.StartMemcached(t, harness.Versions[1])
	p := harness.StartMemverbs(t, "--upstream", harness.StartMemcached(t, harness.Versions[1]).Addr,
		"--upstream", harness.StartMemcached(t, harness.Versions[1]).Addr)
	direct, proxied := harness.Dial(t, m.Addr), harness.Dial(t, p.Addr)
	for range 2 {
		for _, c := range []*harness.Client{direct, proxied} {
			c.Send(harness.Counted)
			c.Until("MN")
		}
		here, there := m.Stats(), p.Stats()
		for name := range strings.FieldsSeq(harness.CountedNames) {
			if here[name] != there[name] || here[name] == "" {
				t.Errorf("%s is %q in memcached, %q through the proxy", name, here[name], there[name])
			}
		}
		direct.Ask("stats reset\r\n", "RESET\r\n")
		proxied.Ask("stats reset\r\n", "RESET\r\n")
	}
}

// Whatever is read of the process itself is there, and is a number.
func TestStatsOfTheProcess(t *testing.T) {
	t.Parallel()
	p := harness.StartMemverbs(t)
	c := harness.Dial(t, p.Addr)
	c.Ask("set a 0 0 1\r\n1\r\n", "STORED\r\n")
	stats := p.Stats()
	for name := range strings.FieldsSeq("pid uptime time pointer_size rusage_user rusage_system max_connections curr_connections " +
		"total_connections rejected_connections bytes_read bytes_written threads cmd_meta") {
		if digits := strings.Trim(stats[name], "0123456789."); stats[name] == "" || digits != "" {
			t.Errorf("%s is %q", name, stats[name])
		}
	}
	if stats["bytes_read"] == "0" || stats["bytes_written"] == "0" || stats["pid"] == "0" {
		t.Errorf("%v", stats)
	}
}
