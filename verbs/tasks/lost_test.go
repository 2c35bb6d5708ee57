package tasks

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// A task whose content was evicted is dropped, counted, and not handed out.
func TestEvictedContent(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect(put("a", 0), "STORED")
		w.Expect(put("b", 0), "STORED")
		lost := ""
		for _, key := range w.Keys() {
			if w.Value(key) == "a" {
				lost = key
			}
		}
		w.Evict(lost)
		if ids, _ := take(w, "tasktake k 5 5"); !slices.Equal(ids, []string{"b"}) {
			t.Errorf("took %q", ids)
		}
		if !slices.Equal(w.Lost, []string{lost}) {
			t.Errorf("lost %q, expected %q", w.Lost, lost)
		}
		w.Expect("tasklen k", "1")
	})
}

// However many there are of these before a task that is due, no take says that none is due.
func TestTaskAfterManyEvictedContents(t *testing.T) {
	verbtest.Long(t)
	w := verbtest.NewWorld(t, theVerbs)
	const count = 700
	for i := range count {
		w.Send(put(fmt.Sprint("lost", i), int64(past+i)))
	}
	w.Send(put("kept", past+count))
	for _, key := range w.Keys() {
		if strings.HasPrefix(w.Value(key), "lost") {
			w.Evict(key)
		}
	}
	if answer := w.Send("tasktake k 60"); !strings.HasPrefix(answer, "VALUE kept ") || len(w.Lost) != count {
		t.Errorf("%d tasks are lost, and the answer is %q", len(w.Lost), answer)
	}
}

// So is one that is not due, when a take happens to look at it.
func TestEvictedContentOfLaterTask(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect(put("later", begun+1e6), "STORED")
		w.Evict(w.Keys()[1])
		w.Expect("tasklen k", "1")
		for range 20 {
			w.Expect(put("a", 0), "STORED")
			take(w, "tasktake k 50")
		}
		if len(w.Lost) != 1 {
			t.Errorf("lost %q", w.Lost)
		}
		w.Expect("taskdrop k later", "NOT_FOUND")
	})
}

// If memcached has evicted the contents of many tasks, a take gets past them, and drops those that it
// has seen missing together.
func TestManyEvictedContents(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		const count = 100
		for n := range count {
			w.Expect(put(fmt.Sprint("i", n), int64(past+n)), "STORED")
		}
		for _, key := range w.Keys() {
			if key != "k" && w.Value(key) != fmt.Sprint("i", count-1) {
				w.Evict(key)
			}
		}
		if ids, _ := take(w, "tasktake k 5"); !slices.Equal(ids, []string{fmt.Sprint("i", count-1)}) {
			t.Errorf("took %q", ids)
		}
		if len(w.Lost) != count-1 {
			t.Errorf("%d of %d are lost", len(w.Lost), count-1)
		}
		w.Expect("tasklen k", "1")
	})
}

// A queue whose tasks have all lost their contents is read a few times, not anew for each few of them.
func TestSweep(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		const count = 700
		for n := range count {
			w.Expect(put(fmt.Sprint("i", n), int64(past+n)), "STORED")
		}
		for _, key := range w.Keys() {
			if strings.HasPrefix(w.Value(key), "i") {
				w.Evict(key)
			}
		}
		w.Expect("tasktake k 5", "END")
		if trips := w.Client.Routine.Account().Trips; trips > 30 {
			t.Errorf("%d round trips", trips)
		}
		if len(w.Lost) != count {
			t.Errorf("%d of %d are lost", len(w.Lost), count)
		}
		w.Expect("tasklen k", "0")
	})
}

// A take of many tasks whose contents are missing drops them together.
func TestManyAreDroppedTogether(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		const count = 100
		for n := range count {
			w.Expect(put(fmt.Sprint("i", n), 0), "STORED")
		}
		for _, key := range w.Keys() {
			if key != "k" {
				w.Evict(key)
			}
		}
		w.Expect("tasktake k 5 1000", "END")
		if reads := 20; w.Client.Done > 2*count+reads {
			t.Errorf("it took %d operations, %d of which were about contents", w.Client.Done, 2*count)
		}
		w.Expect("tasklen k", "0")
	})
}
