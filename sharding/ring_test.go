package sharding

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func mustRing(t testing.TB, servers []Server) *hashRing {
	t.Helper()
	return mustLayout(t, "libmemcached-ketama-weighted", servers).(*hashRing)
}

// locateSlowly is Locate by definition: the first point at or after the hash, or else
// the first point.
func (r *hashRing) locateSlowly(key []byte) int {
	hash := r.hash(key)
	for _, p := range r.points[:len(r.points)-1] {
		if p.value >= hash {
			return int(p.server)
		}
	}
	return int(r.points[0].server)
}

func TestRingSearch(t *testing.T) {
	for _, n := range []int{1, 2, 7, 100} {
		ring := mustRing(t, equals(n))
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

func TestRingAtEveryPoint(t *testing.T) {
	ring := newRing([]point{{7, 2}, {5, 1}, {math.MaxUint32, 3}, {7, 4}, {0, 9}})
	for value, want := range map[uint32]int{0: 9, 1: 1, 5: 1, 6: 2, 7: 2, 8: 3, math.MaxUint32: 3} {
		if got := ring.at(value); got != want {
			t.Errorf("%d belongs to %d, expected %d", value, got, want)
		}
	}
}

func TestIndexOfAPointOnABoundary(t *testing.T) {
	starts, shift := index([]point{{0, 0}, {1 << 31, 1}, {math.MaxUint32, 0}})
	if want := []uint32{0, 1, 1, 2}; !slices.Equal(starts, want) || shift != 30 {
		t.Errorf("starts %v, shift %d, expected %v, 30", starts, shift, want)
	}
}

func TestRingWrapsAround(t *testing.T) {
	ring := mustRing(t, equals(2))
	last := ring.points[len(ring.points)-2]
	for i := 0; ; i++ {
		if ring.hash(testKey(i)) <= last.value {
			continue
		}
		if got, want := ring.Locate(testKey(i)), int(ring.points[0].server); got != want {
			t.Errorf("%s lies beyond the last point: on %d, expected %d", testKey(i), got, want)
		}
		return
	}
}

// A ring whose points own the values from their own on, checked at both ends of each
// range.
func TestFloors(t *testing.T) {
	ring := newRing(floors([]point{{20, 1}, {10, 0}, {20, 2}, {30, 3}}))
	for value, want := range map[uint32]int{0: 3, 9: 3, 10: 0, 19: 0, 20: 2, 29: 2, 30: 3, 31: 3, math.MaxUint32: 3} {
		if got := ring.at(value); got != want {
			t.Errorf("%d belongs to %d, expected %d", value, got, want)
		}
	}
	ring = newRing(floors([]point{{0, 0}, {math.MaxUint32, 1}}))
	for value, want := range map[uint32]int{0: 0, 1: 0, math.MaxUint32 - 1: 0, math.MaxUint32: 1} {
		if got := ring.at(value); got != want {
			t.Errorf("%d belongs to %d, expected %d", value, got, want)
		}
	}
}
