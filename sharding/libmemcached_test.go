package sharding

import "testing"

func TestKetamaStarvesANegligibleWeight(t *testing.T) {
	for weight, want := range map[int]bool{78: true, 80: false} {
		servers := equals(2)
		servers[1].Weight = weight
		served := false
		for _, p := range mustRing(t, servers).points {
			served = served || p.server == 0
		}
		if served != want {
			t.Errorf("weight 1 beside %d: has points is %v, expected %v", weight, served, want)
		}
	}
}

// By rounding, the number of a server's points depends on the size and weights of the
// pool.
func TestKetamaMovesAFewKeysBetweenSurvivors(t *testing.T) {
	const keys = 100000
	weighted := equals(10)
	for i := range weighted {
		weighted[i].Weight = i + 1
	}
	for name, pool := range map[string][]Server{"weighted": weighted, "24 to 25 equals": equals(25)} {
		_, astray := moves(t, "libmemcached-ketama-weighted", pool[:len(pool)-1], pool, keys)
		if astray == 0 || astray > keys/20 {
			t.Errorf("%s: %d keys moved between survivors, expected some but at most %d", name, astray, keys/20)
		}
	}
}

// A key equal to the label of a point has that point's value.
func TestKetamaKeyOnAPoint(t *testing.T) {
	servers := equals(10)
	ring := mustRing(t, servers)
	for want, s := range servers {
		for i := range 40 {
			key := numbered(s.Host, i)
			if got := ring.Locate(key); got != want {
				t.Errorf("%s on %d, expected %d", key, got, want)
			}
		}
	}
}
