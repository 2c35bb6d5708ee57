package tables

import (
	"fmt"
	"testing"

	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// What is remembered of a table, and of when its index was read, does not depend on the time of the day.
func TestClockJumps(t *testing.T) {
	const anHour = 3_600_000
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Settings.StructureItemSize = 40
		for n := range 10 {
			w.Expect(set("k", fmt.Sprintf("f%d", n), "1"), "STORED")
		}
		if parts, _ := format.PartKeys([]byte(indexOf(w, "k")), []byte(w.Value(indexOf(w, "k")))); len(parts) == 0 {
			t.Fatal("the index has no segments")
		}
		for _, w.Ahead = range []int64{0, anHour, -anHour, 0} {
			w.Expect("hget k f1", rows("f1 1")...)
			w.Cost(2)
		}
	})
}
