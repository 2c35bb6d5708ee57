package tests

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
