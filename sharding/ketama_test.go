package sharding

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
)

var _ Layout = (*Ketama)(nil)

func mustKetama(t testing.TB, servers []Server) *Ketama {
	t.Helper()
	ring, err := NewKetama(servers)
	if err != nil {
		t.Fatal(err)
	}
	return ring
}

func testKey(i int) []byte { return fmt.Appendf(nil, "key:%d", i) }

// equals returns n servers that differ in their addresses alone.
func equals(n int) []Server {
	servers := make([]Server, n)
	for i := range servers {
		servers[i] = Server{fmt.Sprintf("10.0.0.%d", i+1), DefaultPort, 1}
	}
	return servers
}

func TestNewKetamaRefuses(t *testing.T) {
	for _, test := range []struct {
		name    string
		servers []Server
		want    string
	}{
		{"an empty pool", nil, "the pool is empty"},
		{"no weight", []Server{{"a", 1, 0}}, `server "a" port 1: weight 0 is not from 1 to 65535`},
		{"a negative weight", []Server{{"a", 1, 1}, {"b", 1, -3}}, "weight -3"},
		{"too great a weight", []Server{{"a", 1, MaxWeight + 1}}, "weight 65536"},
		{"a server twice", []Server{{"a", 1, 1}, {"b", 1, 1}, {"a", 1, 2}}, `server "a" port 1 is in the pool twice`},
	} {
		t.Run(test.name, func(t *testing.T) {
			ring, err := NewKetama(test.servers)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, expected %q in it", err, test.want)
			}
			if ring != nil {
				t.Error("a ring along with the error")
			}
		})
	}
}

func TestKetamaFollowsWeights(t *testing.T) {
	const keys = 100000
	servers := equals(5)
	total := 0
	for i := range servers {
		servers[i].Weight = i + 1
		total += servers[i].Weight
	}
	ring := mustKetama(t, servers)
	counts := make([]int, len(servers))
	for i := range keys {
		counts[ring.Locate(testKey(i))]++
	}
	for i, s := range servers {
		want := keys * float64(s.Weight) / float64(total)
		// A ring of so few points is uneven by nature.
		if off := math.Abs(float64(counts[i])/want - 1); off > 0.25 {
			t.Errorf("weight %d: %d keys, off the expected %.0f by %.0f%%", s.Weight, counts[i], want, off*100)
		}
	}
}

func TestKetamaStarvesANegligibleWeight(t *testing.T) {
	for weight, want := range map[int]bool{78: true, 80: false} {
		ring := mustKetama(t, []Server{{"a", DefaultPort, 1}, {"b", DefaultPort, weight}})
		served := false
		for _, p := range ring.points {
			served = served || p.server == 0
		}
		if served != want {
			t.Errorf("weight 1 beside %d: has points is %v, expected %v", weight, served, want)
		}
	}
}

// moves counts the keys that change their server from one pool to another, and
// of these the ones whose old and new server are in both pools. The shorter of
// the pools is a prefix of the longer.
func moves(t *testing.T, from, to []Server, keys int) (moved, astray int) {
	t.Helper()
	a, b := mustKetama(t, from), mustKetama(t, to)
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

func TestKetamaMovesTheKeysOfOneServer(t *testing.T) {
	const keys = 100000
	for _, change := range []struct{ from, to int }{{10, 9}, {10, 11}} {
		moved, astray := moves(t, equals(change.from), equals(change.to), keys)
		want := float64(keys) / float64(max(change.from, change.to))
		if off := math.Abs(float64(moved)/want - 1); off > 0.15 {
			t.Errorf("%d to %d servers: %d keys moved, expected about %.0f", change.from, change.to, moved, want)
		}
		if astray != 0 {
			t.Errorf("%d to %d servers: %d keys moved between servers that stayed", change.from, change.to, astray)
		}
	}
}

// Rounding ties the points of a server to the size and weights of the pool.
func TestKetamaMovesAFewKeysBetweenSurvivors(t *testing.T) {
	const keys = 100000
	weighted := equals(10)
	for i := range weighted {
		weighted[i].Weight = i + 1
	}
	for name, pool := range map[string][]Server{"weighted": weighted, "24 to 25 equals": equals(25)} {
		_, astray := moves(t, pool[:len(pool)-1], pool, keys)
		if astray == 0 || astray > keys/20 {
			t.Errorf("%s: %d keys moved between survivors, expected some but at most %d", name, astray, keys/20)
		}
	}
}

// Locate by its definition: the first point not below the hash, or else the first.
func (k *Ketama) locateSlowly(key []byte) int {
	hash := keyHash(key)
	for _, p := range k.points[:len(k.points)-1] {
		if p.value >= hash {
			return int(p.server)
		}
	}
	return int(k.points[0].server)
}

func TestKetamaSearch(t *testing.T) {
	for _, n := range []int{1, 2, 7, 100} {
		ring := mustKetama(t, equals(n))
		keys := [][]byte{nil, []byte(strings.Repeat("long", 1000))}
		for i := range 2000 {
			keys = append(keys, testKey(i))
		}
		for _, key := range keys {
			if got, want := ring.Locate(key), ring.locateSlowly(key); got != want {
				t.Errorf("%d servers: %.20q on %d, expected %d", n, key, got, want)
			}
		}
	}
}

// A key that reads like the label of a point has that point's value.
func TestKetamaKeyOnAPoint(t *testing.T) {
	servers := equals(10)
	ring := mustKetama(t, servers)
	for want, s := range servers {
		for i := range 40 {
			key := fmt.Appendf(nil, "%s-%d", s.Name, i)
			if got := ring.Locate(key); got != want {
				t.Errorf("%s on %d, expected %d", key, got, want)
			}
		}
	}
}

func TestIndexOfAPointOnABoundary(t *testing.T) {
	starts, shift := index([]point{{0, 0}, {1 << 31, 1}, {math.MaxUint32, 0}})
	if want := []uint32{0, 1, 1, 2}; !slices.Equal(starts, want) || shift != 30 {
		t.Errorf("starts %v, shift %d, expected %v, 30", starts, shift, want)
	}
}

func TestKetamaWrapsAround(t *testing.T) {
	ring := mustKetama(t, equals(2))
	last := ring.points[len(ring.points)-2]
	for i := 0; ; i++ {
		if keyHash(testKey(i)) <= last.value {
			continue
		}
		if got, want := ring.Locate(testKey(i)), int(ring.points[0].server); got != want {
			t.Errorf("%s lies beyond the last point: on %d, expected %d", testKey(i), got, want)
		}
		return
	}
}

func TestKetamaLocateAllocatesNothing(t *testing.T) {
	var ring Layout = mustKetama(t, equals(10))
	key := []byte("user:1234:profile")
	if n := testing.AllocsPerRun(1000, func() { ring.Locate(key) }); n != 0 {
		t.Errorf("%v allocations per Locate", n)
	}
}

func TestKetamaConcurrently(t *testing.T) {
	ring := mustKetama(t, equals(10))
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for i := range 1000 {
				if got, want := ring.Locate(testKey(i)), ring.locateSlowly(testKey(i)); got != want {
					t.Errorf("%s on %d, expected %d", testKey(i), got, want)
				}
			}
		})
	}
	group.Wait()
}

func BenchmarkKetamaLocate(b *testing.B) {
	for _, n := range []int{2, 10, 100} {
		b.Run(fmt.Sprintf("servers=%d", n), func(b *testing.B) {
			ring := mustKetama(b, equals(n))
			keys := make([][]byte, 1024)
			for i := range keys {
				keys[i] = testKey(i)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				ring.Locate(keys[i%len(keys)])
			}
		})
	}
}
