package harness

import (
	"fmt"
	"testing"

	"github.com/memverbs/memverbs/sharding"
)

// LayoutOf returns the ring that memverbs makes of upstreams by default.
func LayoutOf(t testing.TB, upstreams []string) sharding.Layout {
	t.Helper()
	var servers []sharding.Server
	for _, u := range upstreams {
		s, err := sharding.ParseServer(u)
		if err != nil {
			t.Fatal(err)
		}
		servers = append(servers, s.Server)
	}
	layout, err := sharding.ByName(sharding.Default, servers)
	if err != nil {
		t.Fatal(err)
	}
	return layout
}

// KeyOn returns a key that begins with prefix and is on an upstream, given by its index in the layout.
func KeyOn(layout sharding.Layout, upstream int, prefix string) string {
	for n := 0; ; n++ {
		if key := fmt.Sprintf("%s%d", prefix, n); layout.Locate([]byte(key)) == upstream {
			return key
		}
	}
}
