package tasks

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// There are only so many numbers for attempts. A task that has had all of them is not handed out
// again, and does no harm to others.
func TestMostAttempts(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		p := strings.Repeat("P", putSize)
		w.Put("k", fmt.Sprintf("t(5.%d.0.NNNNNNNNNNN:%s:a ", mostAttempts-1, p), 0, 0)
		w.Put("k:"+p, "a", 7, 0)
		last := fmt.Sprint(p, ".", mostAttempts)
		w.Expect("tasktake k 5", "VALUE a 7 1 "+last, "a", "END")
		w.Expect("taskretry k "+last+" 0", "STORED")
		w.Expect("tasktake k 5", "END")
		w.Expect(put("b", 0), "STORED")
		if ids, _ := take(w, "tasktake k 5 9"); !slices.Equal(ids, []string{"b"}) {
			t.Errorf("took %q", ids)
		}
		w.Expect("tasklen k", "2")
		w.Expect("taskdone k "+last, "DELETED")
		w.Expect("tasklen k", "1")
	})
}

// Content that memcached refuses leaves no task behind.
func TestContentThatIsTooLarge(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect(put("a", 0), "STORED")
		w.Limit = 2000
		answer := w.Send("taskput k b 0 0 3000\r\n" + strings.Repeat("b", 3000))
		if !strings.HasPrefix(answer, "SERVER_ERROR object too large") {
			t.Errorf("answered %q", answer)
		}
		w.Expect("tasklen k", "1")
		if len(w.Keys()) != 2 {
			t.Errorf("there are the items %q", w.Keys())
		}
	})
}

// Tasks whose contents find no room in an answer are not taken: the next call gets them, and their
// first attempt.
func TestAnswersAreBounded(t *testing.T) {
	verbtest.Long(t)
	w := verbtest.NewWorld(t, theVerbs)
	w.Limit = verbs.MaxAnswer
	const size = verbs.MaxAnswer / 4
	for n := range 6 {
		w.Expect(fmt.Sprintf("taskput k i%d 0 0 %d\r\n%s", n, size, strings.Repeat("x", size)), "STORED")
	}
	for _, want := range []int{3, 3} {
		answer := w.Send("tasktake k 50 6")
		if tasks, first := strings.Count(answer, "VALUE"), strings.Count(answer, ".1\r\n"); tasks != want || first != want {
			t.Errorf("%d tasks in an answer of %d bytes, %d of them for the first time", tasks, len(answer), first)
		}
	}
	w.Expect("tasktake k 50 6", "END")
}

// Without room for several contents at once, they are read one at a time.
func TestWithoutRoom(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		for n := range 30 {
			w.Expect(fmt.Sprintf("taskput k i%d 0 0 10000\r\n%s", n, strings.Repeat("x", 10_000)), "STORED")
		}
		narrow := 0
		w.Client.Narrow = func() bool { narrow++; return narrow%3 != 0 }
		if answer := w.Send("tasktake k 50 30"); strings.Count(answer, "VALUE") != 30 {
			t.Errorf("%d tasks", strings.Count(answer, "VALUE"))
		}
	})
}

// A queue through which many tasks pass stays small.
func TestQueueStaysSmall(t *testing.T) {
	verbtest.Long(t)
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Settings.StructureItemSize, w.Settings.CompactDirtiness = 16<<10, 100
		for n := range 1000 {
			w.Expect(put(fmt.Sprint("i", n), 0), "STORED")
			_, stamps := take(w, "tasktake k 50")
			w.Expect("taskdone k "+stamps[0], "DELETED")
		}
		size := 0
		for _, key := range w.Keys() {
			size += len(w.Value(key))
		}
		if size > 32<<10 {
			t.Errorf("an empty queue has %d bytes in %d items", size, len(w.Keys()))
		}
	})
}

// Under long keys only the beginning precedes the put.
func TestLongKey(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	key := strings.Repeat("k", 250)
	w.Expect("taskput "+key+" a 0 7 1\r\na", "STORED")
	if answer := w.Send("tasktake " + key + " 5"); !strings.HasPrefix(answer, "VALUE a 7 1 ") {
		t.Errorf("answered %q", answer)
	}
}

// A call takes no more tasks than the tokens of which fit into the head.
func TestTakesFitTheHead(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Settings.StructureItemSize, w.Limit = 900, 1000
		for n := range 40 {
			w.Expect(put(fmt.Sprint("i", n), 0), "STORED")
		}
		got := map[string]bool{}
		for range 40 {
			ids, _ := take(w, "tasktake k 50 1000")
			if len(ids) > 900/longestTake {
				t.Fatalf("took %d tasks at once", len(ids))
			}
			for _, id := range ids {
				got[id] = true
			}
		}
		if len(got) != 40 {
			t.Errorf("took %d of 40 tasks", len(got))
		}
	})
}

// To list a large queue in order takes long. Others don't wait for that, and a list of all tasks and one
// of the last of them pause as often.
func TestListPauses(t *testing.T) {
	const count, slice = 3000, 320
	for _, words := range []string{"", fmt.Sprint(" ", past+count)} {
		w := verbtest.NewWorld(t, theVerbs)
		var log strings.Builder
		for n := range count {
			fmt.Fprintf(&log, "t=%d:%016d:i%d ", past+n+1, n, n)
		}
		w.Put("k", log.String(), 0, 0)
		w.Expect("tasklen k", fmt.Sprint(count))
		pauses, pace := 0, &w.Client.Routine.Inside().Pace
		pause := pace.Pause
		pace.Slice, pace.Pause = slice, func() { pauses++; pause() }
		w.Send("tasklen k")
		before := pauses
		pauses = 0
		if answer := w.Send("tasklist k" + words); !strings.Contains(answer, fmt.Sprintf("VALUE i%d 0 ", count-1)) {
			t.Errorf("tasklist k%s: answered %d bytes", words, len(answer))
		}
		if pauses -= before; pauses < count*slowness/slice {
			t.Errorf("tasklist k%s paused %d times more than tasklen", words, pauses)
		}
	}
}
