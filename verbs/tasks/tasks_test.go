package tasks

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// instead returns a function that fails an operation whenever fails says so.
func instead(fails func() bool) func(verbs.Op) (verbs.Reply, bool) {
	return func(verbs.Op) (verbs.Reply, bool) {
		return verbs.Reply{Err: "SERVER_ERROR lost"}, fails()
	}
}

// take takes tasks and returns their ids and stamps.
func take(w *verbtest.World, request string) (ids, stamps []string) {
	w.T.Helper()
	return taken(w.T, w.Send(request))
}

func TestLife(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect("tasktake k 5", "END")
		w.Expect("tasklen k", "NOT_FOUND")
		w.Expect(put("later", begun+1000), "STORED")
		w.Expect(put("first", 0), "STORED")
		w.Expect("tasklen k", "2")
		ids, stamps := take(w, "tasktake k 5 10")
		if !slices.Equal(ids, []string{"first"}) {
			t.Fatalf("took %q", ids)
		}
		w.Expect("tasktake k 5", "END")
		w.Clock += 4999
		if ids, _ := take(w, "tasktake k 5 10"); !slices.Equal(ids, []string{"later"}) {
			t.Fatalf("took %q", ids)
		}
		w.Clock++
		again, newer := take(w, "tasktake k 9")
		if !slices.Equal(again, []string{"first"}) || newer[0] == stamps[0] {
			t.Fatalf("took %q with the stamps %q after %q", again, newer, stamps)
		}
		w.Expect("taskdone k "+stamps[0], "EXISTS")
		w.Expect("taskkeep k "+stamps[0]+" 9", "EXISTS")
		w.Expect("taskkeep k "+newer[0]+" 20", "STORED")
		w.Clock += 19_000
		if ids, _ := take(w, "tasktake k 50 10"); !slices.Equal(ids, []string{"later"}) {
			t.Fatalf("took %q", ids)
		}
		w.Expect(fmt.Sprintf("taskretry k %s %d", newer[0], w.Clock+500), "STORED")
		w.Expect("tasktake k 5", "END")
		w.Clock += 500
		_, newer = take(w, "tasktake k 9")
		w.Expect("taskdone k "+newer[0], "DELETED")
		w.Expect("taskdone k "+newer[0], "NOT_FOUND")
		w.Expect("taskdrop k later", "DELETED")
		w.Expect("taskdrop k later", "NOT_FOUND")
		w.Expect("tasklen k", "0")
		if keys := w.Keys(); !slices.Equal(keys, []string{"k"}) {
			t.Errorf("there are the items %q", keys)
		}
	})
}

// The stored text is what the package says.
func TestTokens(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	w.Chance = func() uint64 { return 0 }
	p := strings.Repeat("A", putSize)
	w.Expect(put("a", 5), "STORED")
	w.Holds("k", "t=5:"+p+":a ")
	w.Holds("k:"+p, "a")
	w.Expect("tasktake k 5", "VALUE a 7 1 "+p+".1", "a", "END")
	w.Expect("taskkeep k "+p+".1 7", "STORED")
	w.Expect("taskretry k "+p+".1 9", "STORED")
	w.Expect("tasklist k", "VALUE a 0 5", "9 1 0", "END")
	w.Expect("taskdone k "+p+".1", "DELETED")
	w.Holds("k:"+p, "none")
	w.Holds("k", fmt.Sprintf("t=5:%s:a t>%s.1.%d.%d.AAAAAAAAAAA t~%s.1.%d t)%s.1.9 t-%s.1 ", p, p, begun, begun+5000, p, begun+7000, p, p))
}

// What is replaced is not handed out, nor can it be ended by its old stamp.
func TestReplacing(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect(put("a", 5), "STORED")
		_, old := take(w, "tasktake k 100")
		w.Expect("taskput k a 6 7 3\r\nnew", "STORED")
		w.Expect("taskdone k "+old[0], "NOT_FOUND")
		w.Expect("tasklen k", "1")
		if answer := w.Send("tasktake k 100 5"); !strings.Contains(answer, "\r\nnew\r\n") {
			t.Errorf("answered %q", answer)
		}
	})
}

func TestList(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect("tasklist k", "END")
		for n := range 9 {
			w.Expect(put(fmt.Sprint("i", 8-n), int64(100*(8-n))), "STORED")
		}
		for _, test := range []struct {
			words string
			want  []string
		}{
			{"", []string{"i0", "i1", "i2", "i3", "i4", "i5", "i6", "i7", "i8"}},
			{" 300", []string{"i3", "i4", "i5", "i6", "i7", "i8"}},
			{" 301 599", []string{"i4", "i5"}},
			{" 9000", nil},
		} {
			var got []string
			for line := range strings.Lines(w.Send("tasklist k" + test.words)) {
				if words := strings.Fields(line); words[0] == "VALUE" {
					got = append(got, words[1])
				}
			}
			if test.words == "" { // i0 is put for now
				test.want = append(test.want[1:], "i0")
			} else if test.words == " 300" || test.words == " 9000" {
				test.want = append(test.want, "i0")
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("tasklist k%s: %q, expected %q", test.words, got, test.want)
			}
		}
	})
}

// A take reads the queue, appends to it, reads it again, and reads the content and looks for those of
// a few others. One that finds nothing due only reads the queue. To end a task is to read, to
// append, to read, and to delete the content.
func TestOperations(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	w.Expect(put("a", 5), "STORED")
	w.Cost(2)
	w.Expect(put("b", begun+1000), "STORED")
	w.Cost(2)
	_, stamps := take(w, "tasktake k 5 5")
	if n := w.Client.Done; n < 4 || n > 4+looked {
		t.Errorf("a take took %d operations", n)
	}
	w.Expect("tasktake k 5", "END")
	w.Cost(1)
	w.Expect("taskdone k "+stamps[0], "DELETED")
	w.Cost(4)
}

// A task whose content was evicted is dropped, counted, and not handed out.
func TestEvictedContent(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect(put("a", 5), "STORED")
		w.Expect(put("b", 6), "STORED")
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
		w.Send(put(fmt.Sprint("lost", i), int64(i+1)))
	}
	w.Send(put("kept", count+1))
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
			w.Expect(put("a", 5), "STORED")
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
			w.Expect(put(fmt.Sprint("i", n), int64(n+1)), "STORED")
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
			w.Expect(put(fmt.Sprint("i", n), int64(n+1)), "STORED")
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
			w.Expect(put(fmt.Sprint("i", n), 5), "STORED")
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

// There are only so many numbers for attempts. A task that has had all of them is not handed out
// again, and does no harm to others.
func TestMostAttempts(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		p := strings.Repeat("P", putSize)
		w.Put("k", fmt.Sprintf("t(5.%d.0.NNNNNNNNNNN:%s:a ", mostAttempts-1, p), 0, 0)
		w.Put("k:"+p, "a", 7, 0)
		last := fmt.Sprint(p, ".", mostAttempts)
		w.Expect("tasktake k 5", "VALUE a 7 1 "+last, "a", "END")
		w.Expect("taskretry k "+last+" 5", "STORED")
		w.Expect("tasktake k 5", "END")
		w.Expect(put("b", 6), "STORED")
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
		w.Expect(put("a", 5), "STORED")
		w.Limit = 2000
		answer := w.Send("taskput k b 5 0 3000\r\n" + strings.Repeat("b", 3000))
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
		w.Expect(fmt.Sprintf("taskput k i%d 5 0 %d\r\n%s", n, size, strings.Repeat("x", size)), "STORED")
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
			w.Expect(fmt.Sprintf("taskput k i%d 5 0 10000\r\n%s", n, strings.Repeat("x", 10_000)), "STORED")
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
			w.Expect(put(fmt.Sprint("i", n), 5), "STORED")
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

func TestNoQueueToClients(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		for _, value := range []string{"hello", "+a ", "t=", "h:0123456789abcdeA "} {
			w.Put("k", value, 0, 0)
			for _, request := range requests[1:] {
				w.Expect(request, "CLIENT_ERROR k does not hold a queue")
			}
			w.Holds("k", value)
		}
	})
}

// Under long keys only the beginning precedes the put.
func TestLongKey(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	key := strings.Repeat("k", 250)
	w.Expect("taskput "+key+" a 5 7 1\r\na", "STORED")
	if answer := w.Send("tasktake " + key + " 5"); !strings.HasPrefix(answer, "VALUE a 7 1 ") {
		t.Errorf("answered %q", answer)
	}
}

// Takes of the same event loop take different tasks, together.
func TestTakesOfOneLoop(t *testing.T) {
	const calls = 10
	for seed := range uint64(20) {
		w := verbtest.NewWorld(t, theVerbs)
		for n := range 2 * calls {
			w.Expect(put(fmt.Sprint("i", n), 5), "STORED")
		}
		loop := []*verbtest.Pool{{T: t, Env: w, List: theVerbs}}
		s := verbtest.NewSchedule(w, verbtest.NewRandom(seed, 0), loop, slices.Repeat([][]string{{"tasktake k 50"}}, calls))
		s.Key = "k"
		s.Run()
		got := map[string]bool{}
		for _, c := range s.Calls {
			ids, _ := taken(t, c.Answer)
			for _, id := range ids {
				got[id] = true
			}
		}
		if len(got) != calls {
			t.Errorf("%d calls took %d tasks", calls, len(got))
		}
	}
}

// Times may be counted from now.
func TestTimesFromNow(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	w.Expect("taskput k a +500 7 1\r\na", "STORED")
	w.Expect("tasklist k", "VALUE a 0 17", fmt.Sprint(begun+500, " 0 0"), "END")
	w.Clock += 500
	_, stamps := take(w, "tasktake k 50")
	w.Expect("taskretry k "+stamps[0]+" +60000", "STORED")
	w.Expect("tasklist k", "VALUE a 0 17", fmt.Sprint(begun+60_500, " 1 0"), "END")
}

// A call takes no more tasks than the tokens of which fit into the head.
func TestTakesFitTheHead(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Settings.StructureItemSize, w.Limit = 900, 1000
		for n := range 40 {
			w.Expect(put(fmt.Sprint("i", n), 5), "STORED")
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
	for _, words := range []string{"", fmt.Sprint(" ", count)} {
		w := verbtest.NewWorld(t, theVerbs)
		var log strings.Builder
		for n := range count {
			fmt.Fprintf(&log, "t=%d:%016d:i%d ", n+1, n, n)
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

// A taskkeep that is carried out late, after it was repeated, does not make the hold shorter.
func TestLateKeep(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect(put("job", 0), "STORED")
		_, stamps := take(w, "tasktake k 30")
		var late []verbs.Op
		w.Client.Start("taskkeep k " + stamps[0] + " 40")
		for w.Client.Busy() {
			w.Client.CarryOut(0, func(op verbs.Op) verbs.Reply {
				if !op.Appends() {
					return w.Do(t, op)
				}
				op.Key, op.Data = slices.Clone(op.Key), slices.Clone(op.Data)
				late = append(late, op)
				return verbs.Reply{Err: "SERVER_ERROR lost"}
			})
		}
		w.Clock += 5_000
		w.Expect("taskkeep k "+stamps[0]+" 40", "STORED")
		w.Do(t, late[0])
		w.Clock += 40_000 - 1
		w.Expect("tasktake k 30", "END")
		w.Clock++
		if ids, _ := take(w, "tasktake k 30"); len(ids) != 1 {
			t.Errorf("after the hold %q were taken", ids)
		}
	})
}

// A taskkeep of a negative time gives the task back: it is due at once, and its stamp is good until it is
// taken again.
func TestKeepGivesBack(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect(put("job", 0), "STORED")
		_, stamps := take(w, "tasktake k 30")
		w.Expect("tasktake k 30", "END")
		w.Expect("taskkeep k "+stamps[0]+" -1", "STORED")
		w.Expect("taskkeep k "+stamps[0]+" 30", "STORED")
		w.Expect("tasktake k 30", "END")
		w.Expect("taskkeep k "+stamps[0]+" -2591001", "STORED")
		if ids, _ := take(w, "tasktake k 30"); len(ids) != 1 {
			t.Errorf("%q were taken", ids)
		}
		w.Expect("taskkeep k "+stamps[0]+" -1", "EXISTS")
	})
}

// A hold can't be made shorter, except by giving the task back.
func TestKeepForLess(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect(put("job", 0), "STORED")
		_, stamps := take(w, "tasktake k 30")
		w.Expect("taskkeep k "+stamps[0]+" 10", "STORED")
		w.Clock += 29_000
		w.Expect("tasktake k 30", "END")
		w.Expect("taskretry k "+stamps[0]+" 0", "STORED")
		if ids, _ := take(w, "tasktake k 30"); len(ids) != 1 {
			t.Errorf("%q were taken", ids)
		}
	})
}
