package layouts

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/sharding"
)

// proof is a layout, an original of it and a pool.
type proof struct {
	layout string
	by     original
	pool   shape
	flags  []string // more of memverbs' flags
	some   bool     // fewer keys are enough, since another proof differs in the hash, client or pool alone
}

func TestNoKeyMoves(t *testing.T) {
	t.Parallel()
	for _, p := range proofs() {
		t.Run(fmt.Sprintf("%s by %s (%s)", p.layout, p.by.name, p.pool.title), func(t *testing.T) {
			t.Parallel()
			p.run(t)
		})
	}
}

func TestEveryLayoutIsProved(t *testing.T) {
	t.Parallel()
	proved := map[string]bool{}
	for _, p := range proofs() {
		proved[p.layout] = true
	}
	for _, name := range sharding.Names() {
		// No package has mcrouter, whose answers are recorded in sharding/testdata.
		if !proved[name] && !strings.HasPrefix(name, "mcrouter") {
			t.Errorf("nothing proves %s", name)
		}
	}
}

func proofs() []proof {
	list := append([]proof{
		{layout: "libmemcached", by: libmemcached, pool: weightedInVain},
		{layout: "libmemcached", by: phpMemcached, pool: equal},
		{layout: "libmemcached", by: pylibmc, pool: localhost},
		{layout: "libmemcached-ketama", by: libmemcached, pool: equal},
		{layout: "libmemcached-ketama", by: libmemcached, pool: weighted},
		{layout: "libmemcached-ketama", by: phpMemcached, pool: spread},
		{layout: "libmemcached-ketama", by: phpMemcached, pool: weightedSpread},
		{layout: "libmemcached-ketama", by: pylibmc, pool: equal},
		{layout: "libmemcached-ketama-weighted", by: libmemcached, pool: weightedSpread},
		{layout: "libmemcached-ketama-weighted", by: phpMemcached, pool: weighted},
		{layout: "libmemcached-ketama-weighted", by: phpMemcached, pool: equal},
		{layout: "libmemcached-ketama-weighted", by: pylibmc, pool: weightedLocalhost},

		{layout: "gomemcache", by: gomemcache, pool: equal},
		{layout: "gomemcache", by: gomemcache, pool: weightedSpread},
		{layout: "python-memcached", by: pythonMemcached, pool: equal},
		{layout: "python-memcached", by: pythonMemcached, pool: weighted},
		{layout: "pymemcache", by: pymemcache, pool: equal},
		{layout: "pymemcache", by: pymemcache, pool: spread},
		{layout: "node-memcached", by: nodeMemcached, pool: equal},
		{layout: "node-memcached", by: nodeMemcached, pool: weighted},
		{layout: "node-memcached", by: nodeMemcached, pool: weightedSpread},
		{layout: "dalli", by: dalli, pool: equal},
		{layout: "dalli", by: dalli, pool: weighted},
		{layout: "dalli", by: dalli, pool: weightedSpread},
		{layout: "spymemcached", by: spymemcached, pool: equal},
		{layout: "spymemcached-ketama", by: spymemcached, pool: equal},
		{layout: "spymemcached-ketama", by: spymemcached, pool: spread},
		{layout: "spymemcached-ketama", by: spymemcached, pool: nameAndAddress},
		{layout: "spymemcached-ketama", by: spymemcached, pool: weighted},
		{layout: "cache-memcached-fast", by: cacheMemcachedFast, pool: equal},
		{layout: "cache-memcached-fast", by: cacheMemcachedFast, pool: weighted},
		{layout: "pecl-memcache", by: peclMemcache, pool: weighted},
		{layout: "pecl-memcache-fnv", by: peclMemcache, pool: weighted},
		{layout: "pecl-memcache-consistent", by: peclMemcache, pool: weighted},
		{layout: "pecl-memcache-consistent-fnv", by: peclMemcache, pool: weightedSpread},

		{layout: "jump", by: memcachedProxy, pool: equal},
		{layout: "rendezvous", by: otherMemverbs, pool: equal},
		{layout: "rendezvous", by: otherMemverbs, pool: weighted},
	}, twemproxys()...)
	proved := map[string]bool{}
	for i := range list {
		p := &list[i]
		p.some = p.some || proved[p.layout]
		proved[p.layout] = true
	}
	return list
}

// twemproxys returns a proof of each distribution that goes by keys with each
// hash. Of the kinds of pool every distribution gets all that differ in it.
func twemproxys() []proof {
	hashes := strings.Fields("one_at_a_time md5 crc16 crc32 crc32a fnv1_64 fnv1a_64 fnv1_32 fnv1a_32 hsieh murmur jenkins")
	var list []proof
	for i, hash := range hashes {
		ketama, modula := "twemproxy:ketama:"+hash, "twemproxy:modula:"+hash
		list = append(list,
			proof{layout: ketama, by: nutcracker, pool: []shape{weighted, named, weightedSpread}[i%3], some: i > 2},
			proof{layout: modula, by: nutcracker, pool: []shape{named, weighted}[i%2], some: i > 1})
	}
	tagged := []string{"--hash-tag", hashTag}
	return append(list,
		proof{layout: "twemproxy:ketama:fnv1a_64", by: nutcrackerTagged, pool: named, flags: tagged},
		proof{layout: "twemproxy:modula:crc16", by: nutcrackerTagged, pool: weighted, flags: tagged})
}

// run has the original store keys, and looks for them where memverbs does. It
// returns the pool.
func (p proof) run(t *testing.T) *pool {
	pool, keys := p.pool.start(t), p.by.takes()
	if p.some {
		keys = keys[:someKeys]
	}
	p.by.store(t, p.layout, pool, keys)
	pool.await(t, len(keys))

	flags := append(p.bareFlags(pool), p.flags...)
	places := pool.locate(t, flags, keys)
	pool.tell(t, places, "through memverbs", missing(t, startMemverbs(t, flags).Addr, keys))
	for i, m := range pool.memcacheds {
		here := placedAt(i, places, keys)
		pool.tell(t, places, "from "+pool.upstreams[i], missing(t, m.Addr, here))
		if n := pool.held(t, i); n != len(here) {
			t.Errorf("%s holds %d keys, and locate names it for %d", pool.upstreams[i], n, len(here))
		}
	}
	p.isGuessed(t, pool)
	return pool
}

// bareFlags are the flags that every proof needs.
func (p proof) bareFlags(pool *pool) []string {
	return []string{"--layout", p.layout, "--upstream", strings.Join(pool.upstreams, ",")}
}
