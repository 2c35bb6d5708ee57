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
