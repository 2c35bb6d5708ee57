package tasks

import (
	"fmt"
	"slices"
	"testing"

	"github.com/memverbs/memverbs/verbs/structure/views"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// A task that nobody holds is due at the time that it is moved to. It keeps its data, its attempts and its last stamp.
func TestMoving(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect("taskmove k a 0", "NOT_FOUND")
		w.Expect(put("a", begun+5000), "STORED")
		w.Expect("taskmove k b 0", "NOT_FOUND")
		w.Expect("tasktake k 5", "END")
		w.Expect("taskmove k a 0", "STORED")
		_, stamps := take(w, "tasktake k 5")
		w.Expect("taskmove k a 0", "EXISTS")
		w.Clock += 5000
		w.Expect(fmt.Sprintf("taskmove k a %d", begun+7000), "STORED")
		w.Expect("tasklist k", "VALUE a 0 17", fmt.Sprint(begun+7000, " 1 0"), "END")
		w.Expect("tasktake k 5", "END")
		w.Clock += 2000
		_, again := take(w, "tasktake k 5")
		if len(again) != 1 || again[0] != stamps[0][:putSize]+".2" {
			t.Fatalf("the stamp is %q after %q", again, stamps)
		}
		w.Expect("taskretry k "+again[0]+" 0", "STORED")
		w.Expect(fmt.Sprintf("taskmove k a %d", begun+100_000), "STORED")
		w.Expect("taskdone k "+again[0], "DELETED")
		if keys := w.Keys(); !slices.Equal(keys, []string{"k"}) {
			t.Errorf("there are the items %q", keys)
		}
	})
}

// Among the tasks of its new time a moved task is the last, also when the log is compacted.
func TestOrderOfMoved(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		for n, id := range []string{"a", "b", "c", "d"} {
			w.Expect(put(id, int64(past+n%2)), "STORED")
		}
		w.Expect(fmt.Sprintf("taskmove k a %d", past+1), "STORED")
		w.Expect(fmt.Sprintf("taskmove k d %d", past), "STORED")
		w.Expect("taskdrop k none", "NOT_FOUND")
		if ids, _ := take(w, "tasktake k 5 9"); !slices.Equal(ids, []string{"c", "d", "b", "a"}) {
			t.Errorf("took %q", ids)
		}
	})
}

// To move a task is one round trip where the queue is known, and two where it has to be read.
func TestCostOfMoving(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	w.Put("k", dueLog, 0, 0)
	w.Expect("taskmove k a 0", "STORED")
	trips(w, 2)
	w.Kept = views.Eager([]byte("k"))
	w.Send("tasklen k")
	w.Expect("taskmove k a +5", "STORED")
	trips(w, 1)
}
