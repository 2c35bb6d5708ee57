//go:build linux

package main

import (
	"math"
	"testing"
)

func TestHistogramIsPrecise(t *testing.T) {
	for v := int64(1); v < 1e12; v += v/50 + 1 {
		var h histogram
		h.add(v)
		if got := h.percentile(50); math.Abs(got-float64(v)) > float64(v)/64 {
			t.Errorf("%d became %v", v, got)
		}
	}
}

func TestHistogramPercentiles(t *testing.T) {
	var h, g histogram
	for v := range int64(1000) {
		if v%3 == 0 {
			g.add(v * 1000)
		} else {
			h.add(v * 1000)
		}
	}
	h.merge(&g)
	for _, p := range []float64{50, 99, 99.9} {
		if got, want := h.percentile(p), p*1e4; math.Abs(got-want) > want/50 {
			t.Errorf("p%v is %v, not %v", p, got, want)
		}
	}
	h.add(math.MaxInt64) // falls into the last bucket
	h.add(-1)            // and this into the first
}
