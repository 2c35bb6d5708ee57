package layouts

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/bradfitz/gomemcache/memcache"

	"github.com/memverbs/memverbs/tests/harness"
)

// startMemverbs starts a memverbs that waits for its upstreams however busy the
// machine is.
func startMemverbs(t *testing.T, flags []string) *harness.Memverbs {
	t.Helper()
	patience := harness.Patience.String()
	return harness.StartPlainMemverbs(t, append(slices.Clone(flags), "--timeout", patience, "--connect-timeout", patience)...)
}

// missing reads keys from the server at addr and returns those that it does not
// have, or has with another value.
func missing(t *testing.T, addr string, keys []string) []string {
	t.Helper()
	client := memcache.New(addr)
	client.Timeout = harness.Patience
	defer client.Close()
	var missed []string
	for batch := range slices.Chunk(keys, 100) {
		items, err := client.GetMulti(batch)
		if err != nil {
			t.Fatalf("reading from %s: %v", addr, err)
		}
		for _, key := range batch {
			if item := items[key]; item == nil || string(item.Value) != key {
				missed = append(missed, key)
			}
		}
	}
	return missed
}

// locate returns where "memverbs locate" says that keys are, by the numbers of
// servers.
func (p *pool) locate(t *testing.T, flags, keys []string) map[string]int {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), harness.PlainProgram(t), append([]string{"locate"}, flags...)...)
	cmd.Stdin = strings.NewReader(strings.Join(keys, "\n") + "\n")
	var complaint strings.Builder
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("memverbs locate %q: %v\n%s", flags, err, complaint.String())
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(lines) != len(keys) {
		t.Fatalf("memverbs locate %q prints %d lines for %d keys", flags, len(lines), len(keys))
	}
	places := make(map[string]int, len(keys))
	for i, line := range lines {
		server, ok := strings.CutPrefix(line, keys[i]+"\t")
		place := slices.Index(p.upstreams, server)
		if !ok || place < 0 {
			t.Fatalf("memverbs locate %q prints %q for %q", flags, line, keys[i])
		}
		places[keys[i]] = place
	}
	return places
}

// placedAt returns those of keys that belong to the server i.
func placedAt(i int, places map[string]int, keys []string) []string {
	var here []string
	for _, key := range keys {
		if places[key] == i {
			here = append(here, key)
		}
	}
	return here
}

// tell fails the test if keys were missed, and shows where some of them are.
func (p *pool) tell(t *testing.T, places map[string]int, where string, missed []string) {
	t.Helper()
	if len(missed) == 0 {
		return
	}
	var examples strings.Builder
	for _, key := range missed[:min(5, len(missed))] {
		fmt.Fprintf(&examples, "\n%q is at %s, and locate names %s", key, p.holder(t, key), p.upstreams[places[key]])
	}
	t.Errorf("%d of %d keys are missed %s, such as%s", len(missed), len(places), where, examples.String())
}

// holder returns the server that holds key.
func (p *pool) holder(t *testing.T, key string) string {
	t.Helper()
	for i, m := range p.memcacheds {
		client := memcache.New(m.Addr)
		client.Timeout = harness.Patience
		item, err := client.Get(key)
		client.Close()
		switch {
		case errors.Is(err, memcache.ErrCacheMiss):
		case err != nil:
			t.Fatalf("reading %q from %s: %v", key, m.Addr, err)
		case string(item.Value) != key:
			return fmt.Sprintf("%s (with the value %q)", p.upstreams[i], item.Value)
		default:
			return p.upstreams[i]
		}
	}
	return "no server"
}
