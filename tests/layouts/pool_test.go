package layouts

import (
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// pool is some empty memcacheds.
type pool struct {
	memcacheds []*harness.Memcached
	servers    []string // as the original is told of them
	upstreams  []string // as memverbs is
}

// start starts a pool of memcacheds of all versions, which ends with the test.
func (s shape) start(t *testing.T) *pool {
	t.Helper()
	network := nextNetwork()
	p := &pool{}
	for i := range poolSize {
		var m *harness.Memcached
		version := harness.Versions[i%len(harness.Versions)]
		if s.spread {
			m = harness.StartMemcachedAt(t, version, fmt.Sprintf("%s%d:11211", network, 10+i))
		} else {
			m = harness.StartMemcached(t, version)
		}
		host, port, err := net.SplitHostPort(m.Addr)
		if err != nil {
			t.Fatal(err)
		}
		p.memcacheds = append(p.memcacheds, m)
		p.servers = append(p.servers, s.server(i, host, port))
		p.upstreams = append(p.upstreams, s.server(i, host, port))
		if s.upstream != nil {
			p.upstreams[i] = s.upstream(i, host, port)
		}
	}
	return p
}

// networks counts the networks that were given out, from where ever.
var networks atomic.Uint32

func init() { networks.Store(rand.Uint32()) }

// nextNetwork returns the beginning of an address of the loopback interface,
// one that is used once in a run, and differs from run to run.
func nextNetwork() string {
	n := networks.Add(1)
	return fmt.Sprintf("127.%d.%d.", 1+n/256%254, n%256)
}

// await waits until n keys are there: a client that wants no replies may be
// done before the memcacheds are.
func (p *pool) await(t *testing.T, n int) {
	t.Helper()
	harness.Await(t, fmt.Sprintf("%d keys in the pool", n), func() bool {
		sum := 0
		for i := range p.memcacheds {
			sum += p.held(t, i)
		}
		return sum == n
	})
}

// held returns how many keys the memcached i holds.
func (p *pool) held(t *testing.T, i int) int {
	t.Helper()
	n, err := strconv.Atoi(p.memcacheds[i].Stats()["curr_items"])
	if err != nil {
		t.Fatalf("memcached at %s: %v", p.memcacheds[i].Addr, err)
	}
	return n
}
