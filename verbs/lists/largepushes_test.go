package lists

import (
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// largePush is a push of so many bytes that it is inserted as a segment, and the segment is too long for settling to
// fold.
var largePush = "rpush k " + strings.TrimSpace(verbtest.Names(3000, "", " "))

// pushAndTrim pushes so much, and leaves the last hundred elements of the list.
func pushAndTrim(w *verbtest.World) {
	w.T.Helper()
	w.Expect(largePush, "STORED")
	w.Expect("ltrim k -100 -1", "STORED")
}

// newWorldOfSegments returns a world in which that is so.
func newWorldOfSegments(t *testing.T) *verbtest.World {
	w := verbtest.NewWorld(t, theVerbs)
	w.Settings.StructureItemSize = 1 << 10
	return w
}

// segmentsOf returns how many segments the list has.
func segmentsOf(w *verbtest.World) int { return strings.Count(" "+w.Value("k"), " @") }

// A list to which elements are pushed by large requests, and of which a hundred are kept, stays short.
func TestLargePushesAreMerged(t *testing.T) {
	w := newWorldOfSegments(t)
	for range 100 {
		pushAndTrim(w)
		if n := segmentsOf(w); n > 5 {
			t.Fatalf("there are %d segments", n)
		}
	}
	size := 0
	for _, key := range w.Keys() {
		size += len(w.Find(key).Value)
	}
	if most := 5 * len(largePush); size > most {
		t.Errorf("a list of 100 elements has %d bytes, expected %d at most", size, most)
	}
	w.Expect("llen k", "100")
}

// If all segments of a list are more than a call has memory for, the list can be pushed to all the same, and merging
// a part of them at a time makes them few again.
func TestMoreSegmentsThanACallCanFold(t *testing.T) {
	w := newWorldOfSegments(t)
	w.Put("k:@merge", "another merges", 0, 100)
	for range 60 { // a trim would write the list anew
		w.Expect(largePush, "STORED")
		w.Send("lpop k 2998")
	}
	w.Memory = 4 << 20
	if answer := w.Send("llen k"); !strings.HasPrefix(answer, "SERVER_ERROR this takes ") {
		t.Fatalf("%d segments of %d bytes are read with %d: %q", segmentsOf(w), len(largePush), w.Memory, answer)
	}
	for range 10 {
		w.Expect(largePush, "STORED")
	}
	w.Clock += 100_000
	for pushes := 0; segmentsOf(w) > 10; pushes++ {
		if pushes > 10 {
			t.Fatalf("there are still %d segments", segmentsOf(w))
		}
		w.Expect(largePush, "STORED")
	}
	w.Memory = 0
	w.Expect("ltrim k -100 -1", "STORED")
	w.Expect("llen k", "100")
}
