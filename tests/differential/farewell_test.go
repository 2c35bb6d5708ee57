package differential

import (
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// Where memcached hangs up, so does the proxy, having answered what came before.
func TestHangsUpWhereMemcachedDoes(t *testing.T) {
	for _, version := range harness.Versions {
		p := startPair(t, version, 1)
		misled := misled
		if p.newest {
			misled = slices.Concat(misled, misledNewest)
		}
		for _, text := range slices.Concat(farewells, misled) {
			var said [2]string
			for i, addr := range p.addrs {
				s, err := dial(addr, lines)
				if err != nil {
					t.Fatal(err)
				}
				if said[i], err = s.last(text); err != nil {
					t.Errorf("%q: %v does not hang up: %q, %v", text, sideName(i), said[i], err)
				}
				s.conn.Close()
			}
			if slices.Contains(misled, text) && strings.HasPrefix(said[proxied], "CLIENT_ERROR this is not an HTTP server") {
				said[proxied] = ""
			}
			if said[direct] != said[proxied] {
				t.Errorf("%q: %q became %q", text, said[direct], said[proxied])
			}
		}
	}
}
