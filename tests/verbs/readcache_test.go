package verbs

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// Whoever changes a set, and through whichever proxy, the next to read it sees that, though
// each proxy remembers what it has read.
func TestProxiesThatRememberSeeEachOthersChanges(t *testing.T) {
	for _, version := range harness.Versions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			store := harness.StartMemcached(t, version)
			var clients []*harness.Client
			var proxies []*harness.Memverbs
			for range 3 {
				m := harness.StartMemverbs(t, "--upstream", store.Addr, "--loops", "2", "--structure-item-size", "4KB")
				proxies = append(proxies, m)
				clients = append(clients, harness.Dial(t, m.Addr), harness.Dial(t, m.Addr))
			}
			clients = append(clients, harness.Dial(t, store.Addr))
			seed := rand.Uint64()
			t.Logf("seed %d", seed)
			r := rand.New(rand.NewPCG(seed, 0))
			model := map[string]bool{}
			for range 3000 {
				rememberStep(t, r, clients, model)
			}
			hits := 0
			for _, m := range proxies {
				n, err := strconv.Atoi(m.Stats()["read_cache_hits"])
				if err != nil {
					t.Fatal(err)
				}
				hits += n
			}
			if hits < 200 {
				t.Errorf("only %d reads were answered from what was remembered", hits)
			}
		})
	}
}

// The operator is told of a set that is too large for the cache.
func TestSetTooLargeForTheCacheIsReported(t *testing.T) {
	m := harness.StartMemverbs(t, "--upstream", harness.StartMemcached(t, harness.Newest).Addr, "--loops", "1", "--read-cache", "64KB")
	c := harness.Dial(t, m.Addr)
	var members strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&members, "+member%d ", i)
	}
	c.Ask(fmt.Sprintf("set large 0 0 %d\r\n%s\r\n", members.Len(), members.String()), "STORED\r\n")
	for range 3 { // the first does not try to cache it
		c.Ask("scard large\r\n", "1000\r\n")
	}
	if n := m.Stats()["read_cache_too_large"]; n != "2" {
		t.Errorf("read_cache_too_large is %s, expected 2", n)
	}
	if !strings.Contains(m.Log(), "key=large memory=") {
		t.Errorf("the log does not tell of the set: %s", m.Log())
	}
}

// rememberStep changes or reads the set k of some hundred members through a client, of
// which the last is one of memcached itself, and compares it with model.
func rememberStep(t *testing.T, r *rand.Rand, clients []*harness.Client, model map[string]bool) {
	t.Helper()
	c := clients[r.IntN(len(clients)-1)]
	some := func() (words string) {
		for range 1 + r.IntN(20) {
			words += fmt.Sprintf(" member%03d", r.IntN(400))
		}
		return words
	}
	switch n := r.IntN(100); {
	case n < 12:
		words := some()
		c.Ask("sadd k"+words+"\r\n", "STORED\r\n")
		for w := range strings.FieldsSeq(words) {
			model[w] = true
		}
	case n < 18 && len(model) > 0:
		words := some()
		c.Ask("srem k"+words+"\r\n", "STORED\r\n")
		for w := range strings.FieldsSeq(words) {
			delete(model, w)
		}
	case n < 22 && len(model) > 0:
		c.Send("spop k 3\r\n")
		for w := range strings.FieldsSeq(strings.Split(c.Until("END"), "\r\n")[1]) {
			if !model[w] {
				t.Fatalf("popped %s, which is no member", w)
			}
			delete(model, w)
		}
	case n < 23 && len(model) > 0: // somebody who knows no verbs, with an item of the same length
		c = clients[len(clients)-1]
		members := slices.Sorted(maps.Keys(model))
		c.Ask(fmt.Sprintf("set k 0 0 %d\r\n%s\r\n", 11*len(members), "+"+strings.Join(members, " +")+" "), "STORED\r\n")
	case n < 24:
		c.Send("delete k\r\n")
		c.Line()
		clear(model)
	case n < 60 && len(model) > 0:
		c.Ask("scard k\r\n", fmt.Sprintf("%d\r\n", len(model)))
	case n < 80 && len(model) > 0:
		words, want := some(), ""
		for w := range strings.FieldsSeq(words) {
			want += map[bool]string{false: "0 ", true: "1 "}[model[w]]
		}
		c.Ask("sismember k"+words+"\r\n", strings.TrimSpace(want)+"\r\n")
	case len(model) > 0:
		c.Send("smembers k\r\n")
		got := strings.Fields(strings.Split(c.Until("END"), "\r\n")[1])
		if slices.Sort(got); !slices.Equal(got, slices.Sorted(maps.Keys(model))) {
			t.Fatalf("members are %q, expected %q", got, slices.Sorted(maps.Keys(model)))
		}
	}
}

// What clients pipeline takes effect in their order, though reads of others are shared.
func TestSharedReadsKeepTheOrderOfEachClient(t *testing.T) {
	t.Parallel()
	m := harness.StartMemverbs(t, "--upstream", harness.StartMemcached(t, harness.Newest).Addr, "--loops", "1")
	var all sync.WaitGroup
	for range 8 { // who read all the time
		c := harness.Dial(t, m.Addr)
		all.Go(func() {
			for range 2000 {
				c.Send("scard k\r\n")
				c.Line()
			}
		})
	}
	c := harness.Dial(t, m.Addr)
	filler := strings.Repeat("+some-member ", 100)
	for n := range 1000 {
		plain := fmt.Sprintf("+n%d %s", n, filler)
		c.Ask(fmt.Sprintf("set k 0 0 %d noreply\r\n%s\r\nsismember k n%d n%d\r\nsadd k more noreply\r\nscard k\r\nspop k 3\r\n", len(plain), plain, n, n-1), "1 0\r\n3\r\n")
		if popped := strings.Split(c.Until("END"), "\r\n")[1]; len(strings.Fields(popped)) != 3 {
			t.Fatalf("popped %q", popped)
		}
		c.Ask("scard k\r\n", "0\r\n")
	}
	all.Wait()
}

// Ten thousand sets of all sizes, read at random, take no more memory than is allowed, and
// what is not remembered any more is read anew.
func TestMemoryOfWhatIsRemembered(t *testing.T) {
	const sets, readCache = 10_000, 64 << 20
	store := harness.StartMemcached(t, harness.Newest, "-m", "1024")
	m := harness.StartPlainMemverbs(t, "--upstream", store.Addr, "--loops", "2", "--buffer-memory", "32MB", "--read-cache", "64MB")
	size := func(n int) int { return 1 + n*n*n/sets*4000/sets/sets } // members; most sets are small
	var log strings.Builder
	ends := []int{0} // of logs of so many members
	for i := range size(sets) {
		fmt.Fprintf(&log, "+member-%d ", i)
		ends = append(ends, log.Len())
	}
	c := harness.Dial(t, store.Addr)
	for n := range sets {
		length := ends[size(n)]
		c.Ask(fmt.Sprintf("set s%d 0 0 %d\r\n%s\r\n", n, length, log.String()[:length]), "STORED\r\n")
	}
	var read sync.WaitGroup
	for part := range 8 {
		c := harness.Dial(t, m.Addr)
		read.Go(func() {
			r := rand.New(rand.NewPCG(uint64(part), 0))
			for range 2500 {
				n := r.IntN(sets)
				c.Ask(fmt.Sprintf("scard s%d\r\n", n), fmt.Sprintf("%d\r\n", size(n)))
			}
		})
	}
	read.Wait()
	bytes, err := strconv.Atoi(m.Stats()["read_cache_bytes"])
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%.1f MB are used to remember sets", float64(bytes)/(1<<20))
	if bytes > readCache || bytes < readCache/2 {
		t.Errorf("%d bytes are used to remember sets, of %d", bytes, readCache)
	}
	m.CheckBuffers(t, 32<<20+readCache)
}

// However many clients read the same unchanged sets while memory is short, a proxy reads
// each but a few times: what one of them has read answers the others.
func TestUnchangedSetsAreReadFewTimes(t *testing.T) {
	const sets, members, clients, reads = 3, 30_000, 20, 1000
	store := harness.StartMemcached(t, harness.Newest, "-m", "256")
	m := harness.StartPlainMemverbs(t, "--upstream", store.Addr, "--loops", "1", "--buffer-memory", "64MB", "--read-cache", "64MB")
	var log strings.Builder
	for i := range members {
		fmt.Fprintf(&log, "+member%d ", i)
	}
	for n := range sets {
		harness.Dial(t, store.Addr).Ask(fmt.Sprintf("set s%d 0 0 %d\r\n%s\r\n", n, log.Len(), log.String()), "STORED\r\n")
	}
	var all sync.WaitGroup
	for n := range clients {
		c := harness.Dial(t, m.Addr)
		all.Go(func() {
			c.Ask(strings.Repeat(fmt.Sprintf("scard s%d\r\n", n%sets), reads), strings.Repeat(fmt.Sprintf("%d\r\n", members), reads))
		})
	}
	all.Wait()
	if n := m.Stats()["read_cache_outdated"]; n != "0" {
		t.Errorf("views were found outdated %s times, though nothing was changed", n)
	}
	m.CheckBuffers(t, 64<<20+64<<20)
}
