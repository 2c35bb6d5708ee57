//go:build linux

package load

import (
	"math"
	"math/rand/v2"
)

// picker picks one of some keys at random.
type picker struct {
	keys    uint64
	columns []column // none if all are as likely
}

// column is a key and another that takes what it lacks to an equal share: the
// alias method, which draws from any distribution by one look into a table
// (A. J. Walker, "An efficient method for generating discrete random variables
// with general distributions", ACM TOMS 3, 1977).
type column struct {
	own   uint64 // how many of 2^64 draws from this column are the key itself
	alias int
}

// newPicker returns a picker of n keys. With a skew above 0 the i-th key is
// picked in proportion to 1/i^skew, as Zipf found it of words.
func newPicker(n int, skew float64) picker {
	p := picker{keys: uint64(n)}
	if skew == 0 {
		return p
	}
	weights, sum := make([]float64, n), 0.0
	for i := range weights {
		weights[i] = math.Pow(float64(i+1), -skew)
		sum += weights[i]
	}
	for i := range weights {
		weights[i] *= float64(n) / sum // so that 1 is an equal share
	}
	p.columns = aliases(weights)
	return p
}

// aliases fills the columns: one that has less than an equal share is filled up
// by one that has more, until none has more or less.
func aliases(weights []float64) []column {
	columns := make([]column, len(weights))
	var less, more []int
	for i, w := range weights {
		columns[i] = column{math.MaxUint64, i}
		if w < 1 {
			less = append(less, i)
		} else {
			more = append(more, i)
		}
	}
	for len(less) > 0 && len(more) > 0 {
		low, high := less[len(less)-1], more[len(more)-1]
		less = less[:len(less)-1]
		columns[low] = column{share(weights[low]), high}
		if weights[high] -= 1 - weights[low]; weights[high] < 1 {
			more = more[:len(more)-1]
			less = append(less, high)
		}
	}
	return columns // what is left over differs from 1 by rounding only
}

// share returns how many of 2^64 a share from 0 to 1 is.
func share(s float64) uint64 {
	if s >= 1 {
		return math.MaxUint64
	}
	return uint64(s * (1 << 64))
}

// pick returns the index of a key.
func (p *picker) pick(random *rand.PCG) int {
	i := random.Uint64() % p.keys
	if p.columns == nil {
		return int(i)
	}
	if c := p.columns[i]; random.Uint64() > c.own {
		return c.alias
	}
	return int(i)
}
