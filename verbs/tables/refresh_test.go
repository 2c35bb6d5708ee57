package tables

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// readsOf counts how often an index is read.
func readsOf(w *verbtest.World, isIndex func(key string) bool) *int {
	reads := new(int)
	w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
		if (op.Kind == verbs.Fetch || op.Kind == verbs.Probe) && isIndex(string(op.Key)) {
			*reads++
		}
		return verbs.Reply{}, false
	}
	return reads
}

// The index of a table is read once a minute, also if the rows that are asked for are now long and
// now short.
func TestIndexIsReadThoughRowsDiffer(t *testing.T) {
	w := newWorld(t)
	w.Clock = 1_700_000_000_000
	short, long := "", ""
	for i := range firstRows {
		w.Send(set("k", fmt.Sprintf("s%d", i), "x"))
		w.Send(set("k", fmt.Sprintf("l%d", i), strings.Repeat("x", 1000)))
		short += fmt.Sprintf(" s%d", i)
		long += fmt.Sprintf(" l%d", i)
	}
	index := indexOf(w, "k")
	reads := readsOf(w, func(key string) bool { return key == index })
	const minutes = 8
	for range 6 * minutes {
		w.Clock += 5_000
		w.Send("hget k" + long)
		w.Clock += 5_000
		w.Send("hget k" + short)
	}
	if *reads < minutes-2 || *reads > 2*minutes {
		t.Errorf("the index was read %d times in %d minutes", *reads, minutes)
	}
}

// If more tables are in use than are remembered, their indexes are read all the same.
func TestIndexesOfForgottenTablesAreRead(t *testing.T) {
	verbtest.Long(t)
	w := newWorld(t)
	w.Clock = 1_700_000_000_000
	const tables, rounds = 4500, 3
	for i := range tables {
		w.Send(set(fmt.Sprint("k", i), "f", "x"))
	}
	reads := readsOf(w, func(key string) bool { return strings.Contains(key, ":") && !strings.Contains(key, "=") })
	for range rounds {
		w.Clock += 70_000
		for i := range tables {
			w.Send(fmt.Sprintf("hget k%d f", i))
		}
	}
	if uses := tables * rounds; *reads < uses/(2*foundOften) || *reads > 2*uses/foundOften {
		t.Errorf("the indexes were read %d times, and the tables used %d times", *reads, uses)
	}
}

// A clock that is put back does not stop that.
func TestIndexIsReadAfterTheClockWasPutBack(t *testing.T) {
	w := newWorld(t)
	w.Clock = 1_700_000_000_000
	w.Send(set("k", "f", "x"))
	index := indexOf(w, "k")
	reads := readsOf(w, func(key string) bool { return key == index })
	w.Ahead = -3_600_000
	for range 60 {
		w.Clock += 10_000
		w.Send("hget k f")
	}
	if *reads < 9 || *reads > 12 {
		t.Errorf("the index was read %d times in ten minutes", *reads)
	}
}
