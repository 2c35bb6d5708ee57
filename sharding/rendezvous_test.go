package sharding

import (
	"math"
	"slices"
	"testing"
)

// weighting returns servers with the given weights.
func weighting(weights ...int) []Server {
	servers := equals(len(weights))
	for i, w := range weights {
		servers[i].Weight = w
	}
	return servers
}

// The shares of keys are the shares of the weights, within five standard deviations.
func TestRendezvousShares(t *testing.T) {
	const keys = 50_000
	for _, servers := range [][]Server{
		equals(2), equals(3), equals(100),
		weighting(1, 2), weighting(1, 2, 3, 4, 5, 6, 7, 8, 9, 10), weighting(1, 1000), weighting(65535, 65534, 1),
		weighting(3, 1, 3, 1, 3, 1),
	} {
		counts := spread(mustLayout(t, "rendezvous", servers), len(servers), keys)
		for i, s := range servers {
			share := float64(s.Weight) / float64(totalWeight(servers))
			deviation := math.Sqrt(keys * share * (1 - share))
			if off := float64(counts[i]) - keys*share; math.Abs(off) > 5*deviation+1 {
				t.Errorf("weight %d of %d servers: %d keys, %.0f expected", s.Weight, len(servers), counts[i], keys*share)
			}
		}
	}
}

// A key moves only to the server that joined or gained weight.
func TestRendezvousMovesNothingElse(t *testing.T) {
	pool := weighting(3, 1, 2, 3, 7)
	gained := weighting(3, 1, 5, 3, 7)
	for i := range pool {
		if i == 2 {
			continue
		}
		without := slices.Delete(slices.Clone(pool), i, i+1)
		checkMoves(t, without, pool, pool[i].Host)
	}
	checkMoves(t, pool, gained, pool[2].Host)
}

// checkMoves expects some keys to move to one server, and none to others.
func checkMoves(t *testing.T, from, to []Server, host string) {
	t.Helper()
	a, b := mustLayout(t, "rendezvous", from), mustLayout(t, "rendezvous", to)
	moved := 0
	for i := range 20000 {
		before, after := from[a.Locate(testKey(i))].Host, to[b.Locate(testKey(i))].Host
		if before == after {
			continue
		}
		moved++
		if after != host {
			t.Errorf("%s moved from %s to %s", testKey(i), before, after)
		}
	}
	if moved == 0 {
		t.Errorf("no key moved to %s", host)
	}
}

// A named server keeps its keys when its address changes.
func TestRendezvousGoesByNames(t *testing.T) {
	there, elsewhere := equals(5), equals(5)
	for i := range there {
		there[i].Name = "shard" + string(rune('a'+i))
		elsewhere[i] = Server{Host: "192.0.2.1", Port: 1 + i, Weight: 1, Name: there[i].Name}
	}
	a, b, unnamed := mustLayout(t, "rendezvous", there), mustLayout(t, "rendezvous", elsewhere), mustLayout(t, "rendezvous", equals(5))
	differ := 0
	for i := range 1000 {
		if a.Locate(testKey(i)) != b.Locate(testKey(i)) {
			t.Errorf("%s moved with the address of its server", testKey(i))
		}
		if a.Locate(testKey(i)) != unnamed.Locate(testKey(i)) {
			differ++
		}
	}
	if differ == 0 {
		t.Error("names are without effect")
	}
}

func TestMinusLog(t *testing.T) {
	r := mustLayout(t, "rendezvous", equals(1)).(*rendezvous)
	for shift := range 64 {
		for _, u := range []uint64{1 << shift, 1<<shift + 1, 3 << shift, math.MaxUint64 >> shift, math.MaxUint64/3*2 + uint64(shift), 0x9e3779b97f4a7c15 >> shift} {
			want := 64 - math.Log2(float64(u))
			got := float64(r.minusLog(u)) / logUnit
			if math.Abs(got-want) > 1e-6 {
				t.Errorf("-log2(%d/2^64) = %v, expected %v", u, got, want)
			}
			if float64(^u>>(64-logBits)) > float64(r.minusLog(u)) {
				t.Errorf("-log2(%d/2^64) is less than %d", u, ^u>>(64-logBits))
			}
		}
	}
}

// All processes and releases must place keys alike.
func TestRendezvousStays(t *testing.T) {
	layout := mustLayout(t, "rendezvous", weighting(1, 2, 3, 4, 5))
	var got []int
	for i := range 40 {
		got = append(got, layout.Locate(testKey(i)))
	}
	want := []int{1, 3, 4, 3, 2, 2, 3, 0, 4, 3, 2, 0, 1, 4, 1, 2, 2, 4, 4, 3, 2, 1, 4, 3, 3, 4, 4, 1, 1, 3, 4, 2, 1, 2, 2, 0, 3, 3, 2, 1}
	if !slices.Equal(got, want) {
		t.Errorf("key:0 and so on are on %v, expected %v", got, want)
	}
}

func BenchmarkRendezvousOfDifferentWeights(b *testing.B) {
	servers := equals(100)
	for i := range servers {
		servers[i].Weight = i + 1
	}
	layout := mustLayout(b, "rendezvous", servers)
	key := []byte("user:profile:key:1234")
	b.ReportAllocs()
	for b.Loop() {
		layout.Locate(key)
	}
}
