package config

import (
	"log/slog"
	"slices"
	"testing"
)

// A reload keeps the pools whose settings are unchanged, and of others the upstreams that they still have.
func TestReloadKeepsWhatIsUnchanged(t *testing.T) {
	t.Parallel()
	of := func(servers, timeout Setting, names ...string) *Config {
		c := &Config{Loops: 1}
		for _, name := range []string{"changed", "same"} {
			p := Pool{Name: name, Settings: []Setting{{Name: "servers", Text: "x", AtOnce: true}}}
			for _, n := range names {
				p.Upstreams = append(p.Upstreams, Upstream{Name: n, Network: "tcp", Address: n})
			}
			c.Pools = append(c.Pools, p)
		}
		c.Pools[0].Settings = []Setting{servers, timeout}
		c.Pools[1].Upstreams = []Upstream{{Name: "x", Network: "tcp", Address: "x"}}
		return c
	}
	gone, stale, log := Gone{}, NewStaleness(nil), slog.New(slog.DiscardHandler)
	one, other := Setting{"servers", "a,b", true}, Setting{"servers", "b,c", true}
	short, long := Setting{Name: "timeout", Text: "1s"}, Setting{Name: "timeout", Text: "1m"}
	before := NewSetup(*of(one, short, "a", "b"), nil, gone, stale, log)
	after := NewSetup(*of(other, short, "b", "c"), before, gone, stale, log)
	if after.Pool("same") != before.Pool("same") {
		t.Error("a pool with the same settings is another one")
	}
	old, now := before.Pool("changed"), after.Pool("changed")
	if now == old {
		t.Error("a pool with other settings is the old one")
	}
	if now.Remotes[0] != old.Remotes[1] || slices.Contains(old.Remotes, now.Remotes[1]) {
		t.Error("of the upstreams a and b, b is not kept, or c is not new")
	}
	if slower := NewSetup(*of(other, long, "b", "c"), after, gone, stale, log).Pool("changed"); slices.Contains(now.Remotes, slower.Remotes[0]) {
		t.Error("an upstream is kept though its connections have another setting")
	}
	if after.Upstreams() != 3 || after.Pool("none") != nil {
		t.Errorf("%d upstreams", after.Upstreams())
	}
}
