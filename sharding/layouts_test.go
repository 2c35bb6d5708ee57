package sharding

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
)

func mustLayout(t testing.TB, name string, servers []Server) Layout {
	t.Helper()
	layout, err := ByName(name, servers)
	if err != nil {
		t.Fatal(err)
	}
	return layout
}

func testKey(i int) []byte { return fmt.Appendf(nil, "key:%d", i) }

// equals returns n servers that differ only in their addresses.
func equals(n int) []Server {
	servers := make([]Server, n)
	for i := range servers {
		servers[i] = Server{Host: fmt.Sprintf("10.0.0.%d", i+1), Port: DefaultPort, Weight: 1}
	}
	return servers
}

func knowsWeights(name string) bool {
	return !slices.Contains([]string{"libmemcached", "pymemcache", "spymemcached", "jump", "mcrouter", "mcrouter-crc32", "mcrouter-weighted"}, name)
}

func knowsNames(name string) bool {
	return strings.HasPrefix(name, "twemproxy:") || name == "spymemcached-ketama" || name == "rendezvous"
}

// modular reports whether the layout moves nearly all keys when the pool changes.
func modular(name string) bool {
	return strings.HasPrefix(name, "twemproxy:modula:") || slices.Contains(
		[]string{"libmemcached", "gomemcache", "python-memcached", "spymemcached", "cache-memcached-fast", "pecl-memcache", "pecl-memcache-fnv", "mcrouter-crc32"}, name)
}

// knowsFractions reports whether weights are from 0 to 1.
func knowsFractions(name string) bool { return name == "mcrouter-weighted" }

// lopsided reports whether the layout distributes keys unevenly: its hash is too short for its ring, so that all keys
// hash to the first 2^15 of its 2^32 values, or mixes texts that are alike too little.
func lopsided(name string) bool {
	return name == "twemproxy:ketama:crc32" || name == "pecl-memcache-consistent-fnv"
}

func TestEveryLayoutRefuses(t *testing.T) {
	weightless := equals(2)
	weightless[0].Weight = 0
	fraction := equals(2)
	fraction[0].Weight, fraction[0].Fraction = 0, 0.3
	negative := equals(2)
	negative[1].Weight = -3
	heavy := equals(2)
	heavy[1].Weight = MaxWeight + 1
	twice := append(equals(2), equals(1)...)
	weighted := equals(2)
	weighted[1].Weight = 2
	named := equals(2)
	named[1].Name = "alpha"
	for _, name := range Names() {
		for _, test := range []struct {
			servers []Server
			want    string
		}{
			{nil, "the pool is empty"},
			{weightless, map[bool]string{false: `server "10.0.0.1:11211": weight 0 is not from 1 to 65535`}[knowsFractions(name)]},
			{fraction, map[bool]string{false: `server "10.0.0.1:11211" has weight 0.3, and layout `}[knowsFractions(name)]},
			{negative, "weight -3"},
			{heavy, "weight 65536"},
			{twice, `server "10.0.0.1:11211" is in the pool twice`},
			{weighted, map[bool]string{false: `server "10.0.0.2:11211" has weight 2, and layout ` + name + ` ` + map[bool]string{
				false: "knows no weights", true: "takes weights from 0 to 1",
			}[knowsFractions(name)]}[knowsWeights(name)]},
			{named, map[bool]string{false: `server "10.0.0.2:11211 (alpha)" has a name, and layout ` + name + ` knows no names`}[knowsNames(name)]},
		} {
			layout, err := ByName(name, test.servers)
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("%s, %v: error %v, expected %q in it", name, test.servers, err, test.want)
			}
			if err != nil && (layout != nil || strings.Contains(err.Error(), "\n")) {
				t.Errorf("%s: layout %v along with the error %q", name, layout, err)
			}
		}
	}
}

func TestSomeLayoutsRefuse(t *testing.T) {
	for _, test := range []struct{ layout, servers, want string }{
		{"twemproxy:ketama:md5", "a:1:1 x,b:1:1 x", `both named "x"`},
		{"twemproxy:modula:md5", "a:1:1 b,b:11211", `both named "b"`},
		{"node-memcached", "a:1,unix:/run/m", `server "/run/m": node-memcached takes`},
		{"node-memcached", "[::1]:1", "node-memcached takes"},
		{"spymemcached-ketama", "10.0.0.1:1,unix:/run/m", `server "/run/m": spymemcached knows no unix sockets`},
		{"spymemcached-ketama", "cache1:1:2", `"cache1:1:2 cache1/10.0.0.1:1"`},
		{"pecl-memcache-consistent", "10.0.0.1:1,unix:/run/m", `server "/run/m": where PECL memcache`},
		{"spymemcached-ketama", "[::1]:1", "expected both as the server's name"},
	} {
		_, err := ByName(test.layout, parsePool(t, test.servers))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s, %s: error %v, expected %q in it", test.layout, test.servers, err, test.want)
		}
	}
}

func parsePool(t testing.TB, list string) (servers []Server) {
	t.Helper()
	for s := range strings.SplitSeq(list, ",") {
		servers = append(servers, mustParse(t, s).Server)
	}
	return servers
}

func TestByNameRefusesUnknownNames(t *testing.T) {
	for name, want := range map[string]string{
		"":                        "libmemcached, libmemcached-ketama,",
		"ketama":                  "twemproxy:<distribution>:<hash>",
		"twemproxy":               "twemproxy:<distribution>:<hash>",
		twemproxyPattern:          `no distribution "<distribution>": expected ketama or modula`,
		"twemproxy:random:md5":    `no distribution "random": expected ketama or modula`,
		"twemproxy:ketama":        `no hash "": expected one of one_at_a_time, md5,`,
		"twemproxy:ketama:sha1":   `no hash "sha1": expected one of one_at_a_time, md5,`,
		"twemproxy:ketama:md5:md": `no hash "md5:md"`,
	} {
		_, err := ByName(name, equals(2))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), fmt.Sprintf("%q", name)) {
			t.Errorf("%q: error %v, expected %q in it", name, err, want)
		}
	}
}

func TestDescriptionsCoverNames(t *testing.T) {
	described := map[string]bool{}
	for _, d := range Descriptions() {
		described[d.Name] = true
	}
	if !described[Default] {
		t.Errorf("the default %s is not described", Default)
	}
	for _, name := range Names() {
		if !described[name] && !strings.HasPrefix(name, "twemproxy:") {
			t.Errorf("%s is not described", name)
		}
	}
}

func strangeKeys() [][]byte {
	keys := [][]byte{nil, {0}, {0xff}, []byte("\xf0\x9f\x98\x80\xf0\x9f"), bytes.Repeat([]byte("long"), 1000), bytes.Repeat([]byte("é"), 1000)}
	for n := range 70 {
		keys = append(keys, bytes.Repeat([]byte{0x80 + byte(n)}, n))
	}
	return keys
}

func TestEveryLayoutAnswersEveryKey(t *testing.T) {
	for _, name := range Names() {
		for _, n := range []int{1, 2, 7, 100} {
			layout := mustLayout(t, name, equals(n))
			for _, key := range strangeKeys() {
				before := bytes.Clone(key)
				got := layout.Locate(key)
				if got < 0 || got >= n {
					t.Errorf("%s: %.20q on %d of %d servers", name, key, got, n)
				}
				if !bytes.Equal(key, before) {
					t.Errorf("%s changed %.20q into %.20q", name, before, key)
				}
			}
		}
	}
}

func TestLocateAllocatesNothing(t *testing.T) {
	for _, name := range Names() {
		layout := mustLayout(t, name, equals(10))
		layout, err := NewHashTag(layout, "{}")
		if err != nil {
			t.Fatal(err)
		}
		if layout, err = NewUnhashedPrefix(layout, "app:", "user:"); err != nil {
			t.Fatal(err)
		}
		for _, key := range [][]byte{[]byte("user:{1234}:profile"), bytes.Repeat([]byte("é"), 125)} {
			if n := testing.AllocsPerRun(100, func() { layout.Locate(key) }); n != 0 {
				t.Errorf("%s: %v allocations per Locate of %s", name, n, key)
			}
		}
	}
}

func TestEveryLayoutConcurrently(t *testing.T) {
	for _, name := range Names() {
		layout := mustLayout(t, name, equals(10))
		var want []int
		for i := range 100 {
			want = append(want, layout.Locate(testKey(i)))
		}
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				for i := range want {
					if got := layout.Locate(testKey(i)); got != want[i] {
						t.Errorf("%s: %s on %d, expected %d", name, testKey(i), got, want[i])
					}
				}
			})
		}
		group.Wait()
	}
}

// spread counts the keys of each server.
func spread(layout Layout, servers, keys int) []int {
	counts := make([]int, servers)
	for i := range keys {
		counts[layout.Locate(testKey(i))]++
	}
	return counts
}

func TestEveryLayoutFollowsWeights(t *testing.T) {
	const keys = 30000
	for _, name := range Names() {
		pools := [][]Server{equals(5)}
		if knowsWeights(name) {
			weighted := equals(5)
			for i := range weighted {
				weighted[i].Weight = i + 1
			}
			pools = append(pools, weighted)
		}
		for _, servers := range pools {
			counts := spread(mustLayout(t, name, servers), len(servers), keys)
			for i, s := range servers {
				want := keys * float64(s.Weight) / float64(totalWeight(servers))
				// A ring with so few points is uneven.
				if off := math.Abs(float64(counts[i])/want - 1); off > 0.75 && !lopsided(name) {
					t.Errorf("%s: weight %d: %d keys, off the expected %.0f by %.0f%%", name, s.Weight, counts[i], want, off*100)
				}
			}
		}
	}
}

// moves counts the keys that are on different servers in two pools, and those of them
// whose two servers are in both pools. The shorter pool is a prefix of the longer.
func moves(t *testing.T, layout string, from, to []Server, keys int) (moved, astray int) {
	t.Helper()
	a, b := mustLayout(t, layout, from), mustLayout(t, layout, to)
	common := min(len(from), len(to))
	for i := range keys {
		before, after := a.Locate(testKey(i)), b.Locate(testKey(i))
		if before == after {
			continue
		}
		moved++
		if before < common && after < common {
			astray++
		}
	}
	return moved, astray
}

// From five servers to six, a sixth of the keys must move; with a remainder, five
// sixths do.
func TestKeysThatMoveWithASixthServer(t *testing.T) {
	const keys = 10000
	for _, name := range Names() {
		if lopsided(name) {
			continue
		}
		for _, change := range []struct{ from, to int }{{5, 6}, {6, 5}} {
			moved, astray := moves(t, name, equals(change.from), equals(change.to), keys)
			want, most := keys/6.0, 0
			if modular(name) {
				want, most = keys*5/6.0, keys
			}
			if off := math.Abs(float64(moved)/want - 1); off > 0.35 {
				t.Errorf("%s, %d to %d: %d keys moved, expected about %.0f", name, change.from, change.to, moved, want)
			}
			if astray > most {
				t.Errorf("%s, %d to %d: %d keys moved between servers that stayed", name, change.from, change.to, astray)
			}
		}
	}
}

// The layouts that claim so don't depend on the order of the list.
func TestOrderOfServers(t *testing.T) {
	reversed := equals(7)
	slices.Reverse(reversed)
	for _, name := range Names() {
		a, b := mustLayout(t, name, equals(7)), mustLayout(t, name, reversed)
		differ := 0
		for i := range 2000 {
			if a.Locate(testKey(i)) != 6-b.Locate(testKey(i)) {
				differ++
			}
		}
		ordered := name == "jump" || name == "mcrouter" || knowsFractions(name) || modular(name) && !strings.HasPrefix(name, "twemproxy:")
		if ordered != (differ > 0) {
			t.Errorf("%s: %d keys of 2000 moved with the order of the servers", name, differ)
		}
	}
}

func FuzzLocate(f *testing.F) {
	var built []Layout
	for _, name := range Names() {
		built = append(built, mustLayout(f, name, equals(5)))
	}
	for _, key := range strangeKeys() {
		f.Add(key)
	}
	f.Fuzz(func(t *testing.T, key []byte) {
		for i, name := range Names() {
			got := built[i].Locate(key)
			if got < 0 || got >= 5 || got != built[i].Locate(bytes.Clone(key)) {
				t.Errorf("%s: %q on %d", name, key, got)
			}
			if ring, ok := built[i].(*hashRing); ok && got != ring.locateSlowly(key) {
				t.Errorf("%s: %q on %d, expected %d", name, key, got, ring.locateSlowly(key))
			}
		}
	})
}
