package limits

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// Events that were stored can be read, though the item that they are in has become
// longer than what clients may store.
func TestLogLongerThanMaxItemSize(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ version, maxItemSize string }{
		{harness.Versions[0], "1MB"}, {harness.Versions[1], "1MB"}, {harness.Versions[0], "16KB"}, {harness.Versions[1], "16KB"},
	} {
		store := harness.StartMemcached(t, test.version, "-I", "4m")
		m := harness.StartMemverbs(t, "--upstream", store.Addr, "--log-chunk", "1h", "--max-item-size", test.maxItemSize)
		c := harness.Dial(t, m.Addr)
		const events = 1500
		event := strings.Repeat("e", 1000)
		c.Ask(strings.Repeat("logput l 0 0 1000\r\n"+event+"\r\n", events), strings.Repeat("STORED\r\n", events))
		c.Send("logfetch l\r\nmn\r\n")
		if got := strings.Count(c.Until("MN"), "\r\n"+event+"\r\n"); got != events {
			t.Errorf("memcached %s, --max-item-size %s: %d events are read, not the %d that were stored", test.version, test.maxItemSize, got, events)
		}
		c.InStep()
	}
}

// Whatever clients may store at most, a set can be read, and each of the items that
// it consists of is one that a client could have stored, and can get.
func TestSetWithSmallMaxItemSize(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		maxItemSize string
		members     int
	}{{"16KB", 20000}, {"1KB", 5000}} {
		store := harness.StartMemcached(t, "1.6.38")
		m := harness.StartMemverbs(t, "--upstream", store.Addr, "--max-item-size", test.maxItemSize)
		c := harness.Dial(t, m.Addr)
		var adds strings.Builder
		var members []string
		for i := range test.members {
			member := fmt.Sprintf("member-%d", i)
			members = append(members, member)
			adds.WriteString("sadd k " + member + "\r\n")
		}
		c.Ask(adds.String(), strings.Repeat("STORED\r\n", test.members))
		c.Ask("scard k\r\n", fmt.Sprintf("%d\r\n", test.members))
		all := strings.Join(members, " ")
		c.Ask("smembers k\r\n", fmt.Sprintf("VALUE k 0 %d\r\n%s\r\nEND\r\n", len(all), all))
		parts := 0
		for _, key := range itemsOf(t, c, "k") {
			c.Send("get " + key + "\r\n")
			if line := c.Line(); !strings.HasPrefix(line, "VALUE "+key+" ") {
				t.Errorf("--max-item-size %s: get %s is answered %q", test.maxItemSize, key, line)
				continue
			}
			c.Until("END")
			parts++
		}
		if parts < 3 {
			t.Errorf("--max-item-size %s: the set is in %d items, which tests nothing", test.maxItemSize, parts)
		}
		c.InStep()
	}
}

// itemsOf returns the keys of the items that a set consists of.
func itemsOf(t *testing.T, c *harness.Client, set string) []string {
	t.Helper()
	keys := []string{set}
	c.Send("get " + set + "\r\n")
	for _, word := range strings.Fields(c.Until("END")) {
		pointer, ok := strings.CutPrefix(word, "@")
		if !ok {
			continue
		}
		fields := strings.Split(pointer, ":")
		parts, err := strconv.Atoi(fields[1])
		if err != nil {
			t.Fatal(err)
		}
		for n := range parts {
			keys = append(keys, fmt.Sprintf("%s:%s.%d", set, fields[0], n))
		}
	}
	return keys
}

// A server whose limit differs from the pool's is warned of once, by both loops together and also when it
// was started again; the warning tells which is which, and what to do.
func TestServersLimitThatDiffers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ version, server, pool, says string }{
		{harness.Versions[0], "1m", "1MB", ""},
		{harness.Newest, "2m", "2MB", ""},
		{harness.Newest, "2m", "1MB", "raise max-item-size to memcached's -I, or lower that\" upstream=%s item_size_max=2097152 max-item-size=1048576\n"},
		{harness.Versions[0], "1m", "4MB", "give memcached as much by its -I, or lower max-item-size\" upstream=%s item_size_max=1048576 max-item-size=4194304\n"},
	} {
		store := harness.StartMemcached(t, test.version, "-I", test.server)
		m := harness.StartMemverbs(t, "--upstream", store.Addr, "--max-item-size", test.pool)
		store.Kill(t)
		harness.Await(t, "the outage", func() bool { return m.FoundServerDown() })
		store.Restart(t)
		harness.Await(t, "the return", func() bool { return strings.Contains(m.Log(), " away=") })
		m.Stop(t)
		want := 0
		if test.says != "" {
			want = 1
			if says := fmt.Sprintf(test.says, store.Addr); !strings.Contains(m.Log(), says) {
				t.Errorf("-I %s, --max-item-size %s: the log does not say %s:\n%s", test.server, test.pool, says, m.Log())
			}
		}
		if got := strings.Count(m.Log(), "item_size_max="); got != want {
			t.Errorf("-I %s, --max-item-size %s: it is warned of %d times, expected %d", test.server, test.pool, got, want)
		}
	}
}
