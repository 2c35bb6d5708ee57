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
	w.Expect(put("a", past), "STORED")
	w.Holds("k", fmt.Sprintf("t=%d:%s:a ", past, p))
	w.Holds("k:"+p, "a")
	w.Expect("tasktake k 5", "VALUE a 7 1 "+p+".1", "a", "END")
	w.Expect("taskkeep k "+p+".1 7", "STORED")
	w.Expect(fmt.Sprintf("taskretry k %s.1 %d", p, past+9), "STORED")
	w.Expect("tasklist k", "VALUE a 0 17", fmt.Sprint(past+9, " 1 0"), "END")
	w.Expect("taskdone k "+p+".1", "DELETED")
	w.Holds("k:"+p, "none")
	w.Holds("k", fmt.Sprintf("t=%d:%s:a t>%s.1.%d.%d.AAAAAAAAAAA t~%s.1.%d t)%s.1.%d t-%s.1 ", past, p, p, begun, begun+5000, p, begun+7000, p, past+9, p))
}

// Older builds took any number for a time, and stored it. Such tasks are due, and are handed out in their order.
func TestTimesInSecondsOfOlderBuilds(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		a, b, c := putName(0), putName(1), putName(2)
		w.Put("k", fmt.Sprintf("t=1795733949:%s:seconds t=5:%s:five t(99999999999.1.7.%s:%s:retried ", a, b, nonceName(0), c), 0, 0)
		for put, id := range map[string]string{a: "seconds", b: "five", c: "retried"} {
			w.Put("k:"+put, id, 7, 0)
		}
		list := []string{"VALUE five 0 5", "5 0 0", "VALUE seconds 0 14", "1795733949 0 0", "VALUE retried 0 15", "99999999999 1 7", "END"}
		w.Expect("tasklist k", list...)
		w.Expect("tasklist k - 0", list...)
		w.Expect("tasklist k 0", "END")
		ids, stamps := take(w, "tasktake k 30 3")
		if !slices.Equal(ids, []string{"five", "seconds", "retried"}) {
			t.Fatalf("took %q", ids)
		}
		for _, stamp := range stamps {
			w.Expect("taskdone k "+stamp, "DELETED")
		}
	})
}

// What is replaced is not handed out, nor can it be ended by its old stamp.
func TestReplacing(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect(put("a", 0), "STORED")
		_, old := take(w, "tasktake k 100")
		w.Expect("taskput k a 0 7 3\r\nnew", "STORED")
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
		for n := range 5 {
			w.Expect(put(fmt.Sprint("past", 4-n), int64(past+100*(4-n))), "STORED")
		}
		w.Expect(put("now", 0), "STORED")
		w.Expect(put("later", begun+1), "STORED")
		for _, test := range []struct {
			words string
			want  []string
		}{
			{"", []string{"past0", "past1", "past2", "past3", "past4", "now", "later"}},
			{" - +", []string{"past0", "past1", "past2", "past3", "past4", "now", "later"}},
			{fmt.Sprint(" ", past+300), []string{"past3", "past4", "now", "later"}},
			{fmt.Sprint(" - ", past+99), []string{"past0"}},
			{fmt.Sprint(" ", past+101, " ", past+300), []string{"past2", "past3"}},
			{" 0", []string{"now", "later"}},
			{fmt.Sprint(" ", past+400, " 0"), []string{"past4", "now"}},
			{" 0 0", []string{"now"}},
			{fmt.Sprint(" ", begun+2), nil},
			{" +", nil},
			{" + -", nil},
		} {
			var got []string
			for line := range strings.Lines(w.Send("tasklist k" + test.words)) {
				if words := strings.Fields(line); words[0] == "VALUE" {
					got = append(got, words[1])
				}
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
	w.Expect(put("a", 0), "STORED")
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
			w.Expect(put(fmt.Sprint("i", n), 0), "STORED")
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
