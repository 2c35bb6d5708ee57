package tasks

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/views"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// trips checks how many round trips the last call has taken.
func trips(w *verbtest.World, want int) {
	w.T.Helper()
	if n := w.Client.Routine.Account().Trips; n != want {
		w.T.Errorf("%d round trips, expected %d", n, want)
	}
}

// A task is added if the queue has none with its id, held or not, and what is not added leaves nothing behind.
func TestAdding(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect(add("a", 0), "STORED")
		w.Expect(add("a", begun+1), "NOT_STORED")
		_, stamps := take(w, "tasktake k 5")
		w.Expect(strings.Replace(add("a", 0), "\r\na", "\r\nb", 1), "NOT_STORED")
		w.Expect("taskdone k "+stamps[0], "DELETED")
		w.Expect(add("a", begun+1), "STORED")
		w.Expect(put("b", 0), "STORED")
		w.Expect(add("b", 0), "NOT_STORED")
		w.Expect("taskdrop k b", "DELETED")
		w.Expect(add("b", 0), "STORED")
		w.Expect("tasklist k", "VALUE b 0 17", fmt.Sprint(begun, " 0 0"), "VALUE a 0 17", fmt.Sprint(begun+1, " 0 0"), "END")
		if keys := w.Keys(); len(keys) != 3 {
			t.Errorf("there are the items %q", keys)
		}
	})
}

// To add a task is one round trip where the queue is known, and two where it has to be read, whether it is added or not.
func TestCostOfAdding(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	w.Expect(add("a", 0), "STORED")
	trips(w, 2)
	w.Expect(add("a", 0), "NOT_STORED")
	trips(w, 1)
	w.Expect(add("b", 0), "STORED")
	trips(w, 2)
	w.Kept = views.Eager([]byte("k"))
	w.Send("tasklen k")
	w.Expect(add("c", 0), "STORED")
	trips(w, 1)
	w.Expect(add("c", 0), "NOT_STORED")
	trips(w, 1)
	w.Expect(add("d", 0), "STORED")
	trips(w, 1)
}

// The data that memcached refuses is no task, however it is found out.
func TestAddingRefusedData(t *testing.T) {
	for _, size := range []int{10, 2 << 20} {
		w := verbtest.NewWorld(t, theVerbs)
		w.Put("k", dueLog, 0, 0)
		w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
			return verbs.Reply{Err: "SERVER_ERROR object too large for cache"}, op.Kind == verbs.Add
		}
		w.Expect(fmt.Sprintf("taskadd k x 0 0 %d\r\n%s", size, strings.Repeat("x", size)), "SERVER_ERROR object too large for cache")
		w.Instead = nil
		w.Expect("tasklen k", "1")
	}
}

// Nor does it make a queue, if there is none, and others make and lose one meanwhile.
func TestAddingRefusedDataMakesNoQueue(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	tried := 0
	w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
		switch {
		case op.Kind == verbs.Add && string(op.Key) != "k":
			return verbs.Reply{Err: "SERVER_ERROR out of memory storing object"}, true
		case op.Kind == verbs.Add:
			tried++
			return verbs.Reply{Status: verbs.NotStored}, tried == 1
		}
		return verbs.Reply{}, false
	}
	w.Expect(add("a", 0), "SERVER_ERROR out of memory storing object")
	if keys := w.Keys(); tried != 1 || len(keys) > 0 {
		t.Errorf("after %d tries there are the items %q", tried, keys)
	}
}

// Of calls of one event loop that add the same task, one does, and nothing is left of the others' data.
func TestAddsOfOneLoop(t *testing.T) {
	for seed := range uint64(50) {
		w := verbtest.NewWorld(t, theVerbs)
		w.Put("k", "t ", 0, 0)
		loop := []*verbtest.Pool{{T: t, Env: w, List: theVerbs}}
		s := verbtest.NewSchedule(w, verbtest.NewRandom(seed, 0), loop, slices.Repeat([][]string{{add("a", 0), add("b", 0)}}, 5))
		s.Key = "k"
		s.Run()
		stored := map[string]int{}
		for _, c := range s.Calls {
			stored[c.Answer]++
		}
		if stored["STORED\r\n"] != 2 || stored["NOT_STORED\r\n"] != 8 || len(w.Keys()) != 3 {
			t.Errorf("seed %d: %v, and the items %q", seed, stored, w.Keys())
		}
	}
}

// unfair is a chooser that prefers the last alternative.
type unfair struct{ *rand.Rand }

// Pick implements [verbtest.Chooser].
func (u unfair) Pick(n int) int {
	if u.IntN(20) == 0 {
		return 0
	}
	return n - 1
}

// Fault implements [verbtest.Chooser].
func (unfair) Fault(int) int { return 0 }

// An event loop that is much slower than another of the same process still adds its task: after a few lost races the other
// lets it go first.
func TestAddingInTurn(t *testing.T) {
	anyway := verbtest.Rules{
		List: theVerbs, Look: "tasklen k", Before: stateOf,
		Right: func(string, []*verbtest.Call) bool { return true },
		Stray: func(*verbtest.World, []*verbtest.Call) []string { return nil },
	}
	of := race("", "t ", roomy, []string{add("slow", 0)}, nil)
	for n := range 2000 {
		of.Clients[1] = append(of.Clients[1], add(fmt.Sprint("fast", n), 0))
	}
	of.Views, of.Sharing = true, true
	s, wrong := verbtest.NewTrack(t, &anyway).Run(&of, unfair{rand.New(rand.NewPCG(1, 1))})
	if wrong != "" {
		t.Fatal(wrong)
	}
	slow := slices.IndexFunc(s.Calls, func(c *verbtest.Call) bool { return strings.HasPrefix(c.Request, "taskadd k slow") })
	before := 0
	for _, c := range s.Calls {
		if c.From >= s.Calls[slow].From && c.To <= s.Calls[slow].To {
			before++
		}
	}
	if before > 200 {
		t.Errorf("%d were added before it", before)
	}
}
