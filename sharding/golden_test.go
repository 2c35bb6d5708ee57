package sharding

import (
	"bufio"
	"encoding/hex"
	"os"
	"strings"
	"testing"
)

// goldenPool is one pool of testdata/ketama.golden.
type goldenPool struct {
	name    string
	servers []Server
	indexes []byte // of the servers of "key:0", "key:1" ...
}

func readGolden(t *testing.T) []goldenPool {
	t.Helper()
	file, err := os.Open("testdata/ketama.golden")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var pools []goldenPool
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		word, rest, _ := strings.Cut(lines.Text(), " ")
		if word == "pool" {
			pools = append(pools, goldenPool{name: rest})
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

func TestKetamaAgreesWithLibmemcached(t *testing.T) {
	pools := readGolden(t)
	if len(pools) != 14 {
		t.Errorf("%d pools in the golden file, expected 14", len(pools))
	}
	for _, pool := range pools {
		t.Run(pool.name, func(t *testing.T) {
			ring := mustKetama(t, pool.servers)
			if len(pool.indexes) != 2000 {
				t.Errorf("%d keys, expected 2000", len(pool.indexes))
			}
			for i, want := range pool.indexes {
				if got := ring.Locate(testKey(i)); got != int(want) {
					t.Errorf("%s on server %d, libmemcached has it on %d", testKey(i), got, want)
				}
			}
		})
	}
}

// The golden answers say who gets a contested point only if a key falls on one.
func TestGoldenKeysFallOnATie(t *testing.T) {
	for _, pool := range readGolden(t) {
		if !strings.HasPrefix(pool.name, "tie") {
			continue
		}
		floor, tie := findTie(t, mustKetama(t, pool.servers))
		hits := 0
		for i := range pool.indexes {
			if hash := keyHash(testKey(i)); floor < hash && hash <= tie {
				hits++
			}
		}
		if hits == 0 {
			t.Errorf("%s: no key has a hash from %d to %d", pool.name, floor+1, tie)
		}
	}
}

// findTie returns the value of a point with two owners, and that of the point before.
func findTie(t *testing.T, ring *Ketama) (floor, tie uint32) {
	t.Helper()
	for i := 2; i < len(ring.points)-1; i++ {
		if ring.points[i].value == ring.points[i-1].value {
			return ring.points[i-2].value, ring.points[i].value
		}
	}
	t.Fatal("no two points have the same value")
	return 0, 0
}
