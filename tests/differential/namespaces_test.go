package differential

import (
	"math/rand/v2"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// What memcached answers for a key, the proxy answers too if the key is in a namespace.
func TestAnswersInNamespacesAreMemcachedsOwn(t *testing.T) {
	seed := seed(t)
	t.Logf("seed %d; to repeat this run set %s=%d", seed, seedVariable, seed)
	for i, version := range harness.Versions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			differ(t, startSpacedPair(t, version), rand.New(rand.NewPCG(seed, uint64(200+i))), newTally(), allCommands/3, (*generator).stream)
		})
	}
}

// startSpacedPair starts a proxy of two upstreams with namespaces of some of the keys. Those of values near the limit of an item
// are in none, since it counts the key, nor are those that would be too long.
func startSpacedPair(t *testing.T, version string) *pair {
	t.Helper()
	p := &pair{strips: true, modern: version != "1.6.18", newest: version == harness.Newest}
	var servers [3]string
	for i := range servers {
		servers[i] = startMemcached(t, version).Addr
		useFirstIDs(t, servers[i])
	}
	p.addrs = [2]string{servers[0], harness.StartMemverbs(t, "--timeout", harness.Patience.String(), "--namespaces", "key:,no,a,c",
		"--upstream", servers[1], "--upstream", servers[2]).Addr}
	return p
}

// useFirstIDs has a server count beyond the small CAS ids that streams give to items themselves. A generation takes an id too, so
// the servers of the proxy count otherwise than the one that is asked directly.
func useFirstIDs(t *testing.T, server string) {
	t.Helper()
	c := harness.Dial(t, server)
	for range 10 {
		c.Ask("set used 0 0 1\r\nx\r\n", "STORED\r\n")
	}
	c.Ask("delete used\r\n", "DELETED\r\n")
}
