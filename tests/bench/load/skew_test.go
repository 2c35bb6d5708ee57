//go:build linux

package load

import (
	"math"
	"math/rand/v2"
	"testing"
)

// likelihoods are how likely each key of a picker is, by its table.
func likelihoods(p picker) []float64 {
	sums := make([]float64, p.keys)
	for i, c := range p.columns {
		own := float64(c.own) / math.MaxUint64
		sums[i] += own / float64(p.keys)
		sums[c.alias] += (1 - own) / float64(p.keys)
	}
	return sums
}

func TestSkewIsZipfs(t *testing.T) {
	for _, skew := range []float64{0.5, 0.99, 2} {
		const keys = 1000
		harmonic := 0.0
		for i := 1; i <= keys; i++ {
			harmonic += math.Pow(float64(i), -skew)
		}
		for i, got := range likelihoods(newPicker(keys, skew)) {
			if want := math.Pow(float64(i+1), -skew) / harmonic; math.Abs(got-want) > 1e-9 {
				t.Fatalf("skew %v: key %d has %v instead of %v", skew, i, got, want)
			}
		}
	}
}

func TestPick(t *testing.T) {
	const keys, picks = 4, 100_000
	for _, skew := range []float64{0, 1} {
		p, random := newPicker(keys, skew), rand.NewPCG(1, 2)
		var counts [keys]float64
		for range picks {
			counts[p.pick(random)]++
		}
		for i, n := range counts {
			want := 1.0 / keys
			if skew == 1 {
				want = 1 / float64(i+1) / (1 + 1./2 + 1./3 + 1./4)
			}
			if got := n / picks; math.Abs(got-want) > 0.01 {
				t.Errorf("skew %v: key %d was picked %v of the time instead of %v", skew, i, got, want)
			}
		}
	}
}

func TestMixOfSetsAndGets(t *testing.T) {
	const requests = 100_000
	for _, share := range []float64{0, 0.1, 1} {
		p := NewPlain(Mix{Keys: 3, ValueSize: 1, GetKeys: 1, Sets: share})
		random, sets := rand.NewPCG(1, 2), 0.0
		for range requests {
			var b Batch
			if p.Next(&b, random); string(b.out[:3]) == "set" {
				sets++
			}
		}
		if got := sets / requests; math.Abs(got-share) > 0.005 || (share == 0 || share == 1) && got != share {
			t.Errorf("%v of the requests are sets instead of %v", got, share)
		}
	}
}
