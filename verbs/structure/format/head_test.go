package format

import (
	"math/rand/v2"
	"testing"
)

// A pointer names the kind of its segment.
func TestPointerNamesKind(t *testing.T) {
	for _, test := range []struct {
		head   string
		letter byte
		ok     bool
	}{
		{"", 0, true},
		{"+a ", 0, true},
		{"hello", 0, true},
		{"y", 'y', true},
		{"y ", 'y', true},
		{"y+a +b ", 'y', true},
		{"+b y+a ", 0, true},
		{"@0123456789abcdeA:1:9 y+a ", 0, true},
		{"@0123456789abcdeA:1:9:y +a ", 'y', true},
		{"@0123456789abcdeA:1:9:y @1123456789abcdeA:1:9:y ", 'y', true},
		{"@0123456789abcdeA:1:9:y @1123456789abcdeA:1:9 ", 0, false},
		{"@0123456789abcdeA:1:9:yy ", 0, false},
		{"@0123456789abcdeA:1:9: ", 0, false},
		{"@0123456789abcdeA:1:9:7 ", 0, false},
	} {
		h, ok := ParseHead([]byte(test.head))
		if ok != test.ok || h.Letter != test.letter {
			t.Errorf("%q: kind %q, %v; expected %q, %v", test.head, h.Letter, ok, test.letter, test.ok)
		}
		if ok && string(h.Prefix(len(h.Segments))) != string(h.Pointers) {
			t.Errorf("%q: the pointers are written as %q", test.head, h.Prefix(len(h.Segments)))
		}
	}
}

// However segments are settled while some are merged, and however much becomes superfluous, those
// stay as they are. There are never many segments.
func TestSettlingLeavesWhatIsMerged(t *testing.T) {
	const short, limit, mostSegments = 4000, 1000, 24
	merges := 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 0))
		kept := 1 - r.Float64()*r.Float64()/2 // of what is folded
		fold := func(h *Head, from, to, tail int) {
			size := tail
			for _, s := range h.Segments[from:to] {
				size += s.Bytes
			}
			folded := append(append([]Segment(nil), h.Segments[:from]...), Segment{Parts: 1, Bytes: 1 + int(float64(size)*kept)})
			h.Segments = append(folded, h.Segments[to:]...)
		}
		var h Head
		for range 500 {
			from, to := h.ToMerge(short)
			for n := r.IntN(20); n >= 0; n-- {
				tail := limit + r.IntN(limit)
				settled := h.SettledFrom(tail, short)
				if settled < to {
					t.Fatalf("seed %d: settling %d bytes after %v folds from %d, while those until %d are merged", seed, tail, h.Segments, settled, to)
				}
				fold(&h, settled, len(h.Segments), tail)
				if len(h.Segments) > mostSegments {
					t.Fatalf("seed %d: %d segments: %v", seed, len(h.Segments), h.Segments)
				}
			}
			if from < to {
				fold(&h, from, to, 0)
				merges++
			}
		}
	}
	if merges < 10_000 {
		t.Errorf("only %d merges", merges)
	}
}
