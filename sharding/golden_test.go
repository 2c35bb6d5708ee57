package sharding

import (
	"bufio"
	"encoding/hex"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// goldenPool is one pool of a file in testdata; the README there describes the format.
type goldenPool struct {
	name, layout, tag string
	prefix, tail      string
	servers           []Server
	indexes           []byte // of the servers of keys number 0, 1 ...
}

func (p *goldenPool) key(i int) []byte {
	return []byte(p.prefix + strconv.Itoa(i) + p.tail[:i%(len(p.tail)+1)])
}

func readGolden(t *testing.T, path string) (pools []*goldenPool) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		word, rest, _ := strings.Cut(lines.Text(), " ")
		if word == "pool" {
			pools = append(pools, &goldenPool{name: rest, prefix: "key:"})
		}
		if len(pools) > 0 {
			pools[len(pools)-1].read(t, word, rest)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return pools
}

func (p *goldenPool) read(t *testing.T, word, rest string) {
	t.Helper()
	switch word {
	case "layout":
		p.layout = rest
	case "tag":
		p.tag = rest
	case "prefix":
		p.prefix = rest
	case "tail":
		p.tail = rest
	case "server":
		p.servers = append(p.servers, mustParse(t, rest).Server)
	case "keys":
		indexes, err := hex.DecodeString(rest)
		if err != nil {
			t.Fatal(err)
		}
		p.indexes = append(p.indexes, indexes...)
	}
}

func (p *goldenPool) build(t *testing.T) Layout {
	t.Helper()
	layout := mustLayout(t, p.layout, p.servers)
	if p.tag == "" {
		return layout
	}
	layout, err := NewHashTag(layout, p.tag)
	if err != nil {
		t.Fatal(err)
	}
	return layout
}

func allGolden(t *testing.T) (pools []*goldenPool) {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.golden")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		pools = append(pools, readGolden(t, path)...)
	}
	return pools
}

func TestLayoutsAgreeWithTheirOriginals(t *testing.T) {
	for _, pool := range allGolden(t) {
		t.Run(pool.layout+"/"+pool.name, func(t *testing.T) {
			layout := pool.build(t)
			if len(pool.indexes) < 300 {
				t.Errorf("%d keys, expected 300 at least", len(pool.indexes))
			}
			wrong := 0
			for i, want := range pool.indexes {
				if got := layout.Locate(pool.key(i)); got != int(want) {
					wrong++
					if wrong < 10 {
						t.Errorf("%q on server %d, the original has it on %d", pool.key(i), got, want)
					}
				}
			}
			if wrong > 0 {
				t.Errorf("%d of %d keys on another server", wrong, len(pool.indexes))
			}
		})
	}
}

// Every layout has recorded answers of its original for two pools. gomemcache has its
// own test, and rendezvous is itself the original.
func TestEveryLayoutIsRecorded(t *testing.T) {
	pools := map[string]int{"gomemcache": 2, "rendezvous": 2}
	for _, pool := range allGolden(t) {
		pools[pool.layout]++
	}
	for _, p := range placements {
		pools[p.layout] += 6
	}
	for _, name := range Names() {
		if pools[name] < 2 {
			t.Errorf("%s: %d pools in testdata, expected 2 at least", name, pools[name])
		}
	}
}

// The recorded answers show who wins a contested point only if a key hashes to it.
func TestGoldenKeysFallOnATie(t *testing.T) {
	ties := 0
	for _, pool := range allGolden(t) {
		if !strings.HasPrefix(pool.name, "tie") {
			continue
		}
		ties++
		layout := pool.build(t).(*hashRing)
		floor, tie := findTie(t, layout)
		hits := 0
		for i := range pool.indexes {
			if hash := layout.hash(pool.key(i)); floor < hash && hash <= tie {
				hits++
			}
		}
		if hits == 0 {
			t.Errorf("%s: no key has a hash from %d to %d", pool.name, floor+1, tie)
		}
	}
	if ties < 2 {
		t.Errorf("%d pools with a tie, expected 2 at least", ties)
	}
}

// findTie returns the value of a point with two owners, and that of the previous point.
func findTie(t *testing.T, ring *hashRing) (floor, tie uint32) {
	t.Helper()
	for i := 2; i < len(ring.points)-1; i++ {
		if ring.points[i].value == ring.points[i-1].value {
			return ring.points[i-2].value, ring.points[i].value
		}
	}
	t.Fatal("no two points have the same value")
	return 0, 0
}
