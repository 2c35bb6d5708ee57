package tests

import (
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// counted are commands of all kinds, with hits and misses.
const counted = "set a 0 0 1\r\n1\r\nadd a 0 0 1\r\n2\r\nms b 1\r\n5\r\nappend nobody 0 0 1\r\nx\r\n" +
	"get a b nobody\r\ngets nobody\r\nmg a v\r\nmg b\r\nmg nobody v\r\n" +
	"gat 0 a nobody\r\ntouch b 0\r\ntouch nobody 0\r\n" +
	"incr a 1\r\nincr nobody 1\r\ndecr b 1\r\ndecr nobody 1\r\n" +
	"cas a 0 0 1 1\r\nx\r\ncas nobody 0 0 1 1\r\nx\r\n" +
	"delete nobody\r\ndelete a\r\nmd b\r\nmd nobody\r\n" +
	"flush_all\r\nget\r\nmg a v v\r\nmn\r\n"

// countedNames are memcached's names for what clients and monitors read.
const countedNames = "cmd_get cmd_set cmd_flush cmd_touch get_hits get_misses cmd_meta delete_hits delete_misses incr_hits incr_misses " +
	"decr_hits decr_misses cas_hits cas_misses cas_badval touch_hits touch_misses"

// The proxy counts as memcached does, from the start and after stats reset.
func TestStatsCountAsMemcachedDoes(t *testing.T) {
	t.Parallel()
	m := harness.StartMemcached(t, harness.Versions[1])
	p := harness.StartMemverbs(t, "--upstream", harness.StartMemcached(t, harness.Versions[1]).Addr,
		"--upstream", harness.StartMemcached(t, harness.Versions[1]).Addr)
	direct, proxied := harness.Dial(t, m.Addr), harness.Dial(t, p.Addr)
	for range 2 {
		for _, c := range []*harness.Client{direct, proxied} {
			c.Send(counted)
			c.Until("MN")
		}
		here, there := m.Stats(), p.Stats()
		for name := range strings.FieldsSeq(countedNames) {
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
