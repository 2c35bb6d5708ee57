package route

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// A key is in the pool of the longest prefix that it begins with, whatever the order of the routes; its server is that of
// the key as it is stored there.
func TestWhereKeysAre(t *testing.T) {
	t.Parallel()
	p := newPools(t, of("main", 3, nil), of("apples", 2, nil), of("pears", 2, nil))
	routes := []config.Route{{Pool: "main"}, {Prefix: "a:", Pool: "apples"}, {Prefix: "a:p", Pool: "pears", Strip: true}, {Prefix: "b:", Pool: "apples", Strip: true}}
	for range len(routes) {
		r := p.table(routes...)
		for key, is := range map[string]struct {
			pool   string
			index  int
			stored string
		}{
			"x":                      {"main", 0, "x"},
			"x2":                     {"main", 2, "x2"},
			"a":                      {"main", 0, "a"}, // only a part of a prefix
			"A:1":                    {"main", 1, "A:1"},
			" a:1":                   {"main", 1, " a:1"}, // such a key comes in base64
			"a:":                     {"apples", 0, "a:"},
			"a:1":                    {"apples", 1, "a:1"},
			"a:2":                    {"apples", 0, "a:2"}, // the pool has two servers
			"a:o1":                   {"apples", 1, "a:o1"},
			"a:p1":                   {"pears", 1, "1"},
			"a:p":                    {"pears", 0, ""},
			"a:pa:p1":                {"pears", 1, "a:p1"}, // a prefix is stripped once
			"b:b:1":                  {"apples", 1, "b:1"},
			"b:a:p1":                 {"apples", 1, "a:p1"}, // what is left is not routed again
			"\xff\x00":               {"main", 0, "\xff\x00"},
			strings.Repeat("a", 250): {"main", 0, strings.Repeat("a", 250)},
		} {
			to := r.Target([]byte(key))
			if owner := server(is.pool, is.index); to.Pool != p.named(is.pool) || to.Owner.Name != owner || to.Absent != nil || r.Owner([]byte(key)) != to.Owner {
				t.Errorf("%q goes to %s of %s, expected %s", key, to.Owner.Name, to.Pool.Shared.Name, owner)
			}
			if stored := string(to.Stored([]byte(key))); stored != is.stored || r.Cut([]byte(key)) != len(key)-len(stored) {
				t.Errorf("%q is stored as %q, expected %q; %d bytes are cut off", key, stored, is.stored, r.Cut([]byte(key)))
			}
			u, index, stored := r.Locate(protocol.Get, []byte(key))
			if u != to.Owner || r.Asked[index] != u || string(stored) != is.stored {
				t.Errorf("%q is asked for as %q from %s, place %d", key, stored, u.Name, index)
			}
		}
		if to := r.Target(nil); to.Pool != p.named("main") || to.Owner != nil || to.Strips != nil {
			t.Errorf("a request without a key goes to %+v", to)
		}
		routes = append(routes[1:], routes[0])
	}
}

// Several routes may have one pool, whose servers are listed once; a spare pool's servers are asked only in place of
// others, so flushes and statistics leave them out.
func TestServersOfATable(t *testing.T) {
	t.Parallel()
	p := newPools(t, of("other", 1, nil), of("spares", 2, nil),
		of("main", 2, func(p *config.Pool) { p.OnDown, p.Spare = config.Spare, "spares" }),
		of("sessions", 1, func(p *config.Pool) { p.OnDown = config.Miss }))
	names := func(r *Table) (members, asked string) {
		for _, u := range r.Members {
			members += u.Name + " "
		}
		for _, u := range r.Asked {
			asked += u.Name + " "
		}
		return members, asked
	}
	r := p.table(config.Route{Pool: "main"}, config.Route{Prefix: "s:", Pool: "sessions"}, config.Route{Prefix: "m:", Pool: "main"})
	if members, asked := names(r); members != "main0 main1 sessions0 " || asked != members+"spares0 spares1 " {
		t.Errorf("%s; %s", members, asked)
	}
	if !slices.Equal(r.Misses, []bool{false, false, true, false, false}) {
		t.Errorf("misses: %v", r.Misses)
	}
	// The spare pool may have a route, too.
	r = p.table(config.Route{Prefix: "s:", Pool: "spares"}, config.Route{Pool: "main"})
	if members, asked := names(r); members != "spares0 spares1 main0 main1 " || asked != members {
		t.Errorf("%s; %s", members, asked)
	}
	p.fails("main", 1)
	if u, index, _ := r.Locate(protocol.Get, []byte("x1")); u.Name != "spares1" || r.Asked[index] != u {
		t.Errorf("the key is asked for from %s, place %d", u.Name, index)
	}
	if r.PoolOf(p.named("main").Shared.Remotes[1]) != p.named("main") || r.PoolOf(p.named("other").Shared.Remotes[0]) != nil || r.PoolOf(&upstream.Remote{}) != nil {
		t.Error("a server is found in the wrong pool")
	}
}

// What clients are told, or wait for, depends on all pools of the table, and on no other.
func TestLimitsOfATable(t *testing.T) {
	t.Parallel()
	p := newPools(t, of("main", 1, func(p *config.Pool) { p.MaxItemSize, p.Timeout = 1<<20, time.Second }),
		of("large", 1, func(p *config.Pool) { p.MaxItemSize, p.Timeout = 8<<20, time.Second/2 }),
		of("other", 1, func(p *config.Pool) { p.MaxItemSize, p.Timeout = 64<<20, time.Hour }))
	r := p.table(config.Route{Pool: "main"}, config.Route{Prefix: "l:", Pool: "large"})
	if r.MaxItemSize() != 8<<20 || r.LongestAnswer() != upstream.LongestAnswer(time.Second) || r.LowestVersion() != upstream.MetaCommands.String() {
		t.Errorf("%d bytes, %v, %s", r.MaxItemSize(), r.LongestAnswer(), r.LowestVersion())
	}
}
