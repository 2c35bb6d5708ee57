package layouts

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// hashTag is what encloses the part of a key that is hashed, if it is there.
const hashTag = "{}"

// The proxies. What stores the keys does not matter to them.
var (
	nutcracker       = original{"nutcracker", anyBytes, storeThroughNutcracker()}
	nutcrackerTagged = original{"nutcracker with hash_tag", anyBytes, storeThroughNutcracker("hash_tag: " + strconv.Quote(hashTag))}
	memcachedProxy   = original{"memcached's proxy", anyBytes, storeThroughMemcached}
	otherMemverbs    = original{"another memverbs", anyBytes, storeThroughMemverbs}
)

// storeThrough stores keys through a proxy.
func storeThrough(t *testing.T, addr string, keys []string) {
	t.Helper()
	const batch = 100
	c := harness.Dial(t, addr)
	for len(keys) > 0 {
		n := min(batch, len(keys))
		var b strings.Builder
		for _, key := range keys[:n] {
			fmt.Fprintf(&b, "set %s 0 0 %d\r\n%s\r\n", key, len(key), key)
		}
		c.Ask(b.String(), strings.Repeat("STORED\r\n", n))
		keys = keys[n:]
	}
}

// storeThroughNutcracker returns what stores through a nutcracker with the
// distribution and the hash that the layout is named after, and other settings.
func storeThroughNutcracker(settings ...string) func(*testing.T, string, *pool, []string) {
	return func(t *testing.T, layout string, p *pool, keys []string) {
		t.Helper()
		part := strings.Split(layout, ":") // twemproxy:<distribution>:<hash>
		all := append([]string{"distribution: " + part[1], "hash: " + part[2]}, settings...)
		storeThrough(t, harness.StartNutcracker(t, p.servers, all...).Addr, keys)
	}
}

// storeThroughMemcached stores through memcached's own proxy, all of whose
// settings that have a default are left at it.
func storeThroughMemcached(t *testing.T, _ string, p *pool, keys []string) {
	t.Helper()
	var backends []string
	for _, s := range p.servers {
		backends = append(backends, strconv.Quote(s))
	}
	config := filepath.Join(t.TempDir(), "proxy.lua")
	text := fmt.Sprintf("pools{ main = { backends = { %s } } }\n", strings.Join(backends, ", ")) +
		`routes{ default = route_direct{ child = "main" } }`
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	version := harness.Versions[len(harness.Versions)-1]
	m := harness.StartMemcached(t, version, "-o", "proxy_config=routelib,proxy_arg="+config)
	storeThrough(t, m.Addr, keys)
}

// storeThroughMemverbs stores through a memverbs that is told of the servers in
// another order.
func storeThroughMemverbs(t *testing.T, layout string, p *pool, keys []string) {
	t.Helper()
	var shuffled []string
	for _, i := range rand.Perm(poolSize) {
		shuffled = append(shuffled, p.upstreams[i])
	}
	m := startMemverbs(t, []string{"--layout", layout, "--upstream", strings.Join(shuffled, ",")})
	storeThrough(t, m.Addr, keys)
}
