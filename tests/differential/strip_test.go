package differential

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// What memcached answers for a key, the proxy answers too if it stores the key without the
// beginning of it.
func TestStrippedAnswersAreMemcachedsOwn(t *testing.T) {
	seed := seed(t)
	t.Logf("seed %d; to repeat this run set %s=%d", seed, seedVariable, seed)
	for i, version := range harness.Versions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			differ(t, startStrippedPair(t, version), rand.New(rand.NewPCG(seed, uint64(100+i))), newTally(), allCommands/3, (*generator).stream)
		})
	}
}

// startStrippedPair starts a proxy with routes that strip the beginnings of some of the keys, to one
// upstream and to two. No two keys become the same in one pool. Those of values near the limit of an
// item stay: it counts the key.
func startStrippedPair(t *testing.T, version string) *pair {
	t.Helper()
	var servers [4]any
	for i := range servers {
		servers[i] = startMemcached(t, version).Addr
	}
	addr := harness.FreeAddr(t)
	file := filepath.Join(t.TempDir(), "memverbs.yml")
	text := fmt.Sprintf(`loops: 2
pools:
  main: {flush: allow, timeout: %[1]v, servers: ["%[2]v"]}
  one: {flush: allow, timeout: %[1]v, servers: ["%[3]v"]}
  two: {flush: allow, timeout: %[1]v, servers: ["%[4]v", "%[5]v"]}
listeners:
  - listen: ["%[6]s"]
    routes:
      "": main
      "key:": {pool: two, strip: true}
      "kk": {pool: two, strip: true}
      "no": {pool: one, strip: true}
      "-": {pool: one, strip: true}
      "long:": {pool: one, strip: true}
      "xx": {pool: main, strip: true}
`, append(append([]any{harness.Patience}, servers[:]...), addr)...)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p := &pair{strips: true, modern: version != "1.6.18", newest: version == harness.Newest}
	p.addrs = [2]string{startMemcached(t, version).Addr, harness.StartMemverbsWith(t, file, addr).Addr}
	return p
}
