package tasks

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/views"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// A task is looked at as it would be taken, with the stamp of the last attempt, and stays as it is.
func TestPeeking(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		for range 2 { // without a view, and with one
			w.Expect("taskpeek k a", "END")
			w.Expect(put("a", 0), "STORED")
			p := strings.TrimPrefix(w.Keys()[1], "k:")
			w.Expect("taskpeek k b", "END")
			w.Expect("taskpeek k a", "VALUE a 7 1 "+p+".0", "a", "END")
			_, stamps := take(w, "tasktake k 5")
			w.Expect("taskpeek k a", "VALUE a 7 1 "+p+".1", "a", "END")
			w.Expect("taskpeek  k   a  ", "VALUE a 7 1 "+p+".1", "a", "END")
			w.Expect("taskdone k "+stamps[0], "DELETED")
			w.Expect("taskpeek k a", "END")
			w.Evict("k")
			w.Kept = views.Eager([]byte("k"))
		}
	})
}

// To look at a task is one round trip where the queue is known, and two where it has to be read.
func TestCostOfPeeking(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	queue(w)
	want := []string{"VALUE b 0 7 " + stampB, "content", "END"}
	w.Expect("taskpeek k b", want...)
	trips(w, 2)
	w.Kept = views.Eager([]byte("k"))
	w.Send("tasklen k")
	w.Expect("taskpeek k b", want...)
	trips(w, 1)
	w.Put("k:"+nameB, strings.Repeat("x", 1<<20), 0, 0)
	if answer := w.Send("taskpeek k b"); len(answer) < 1<<20 {
		t.Errorf("answered %.99q", answer)
	}
	w.Evict("k:" + nameB)
	w.Expect("taskpeek k b", "END")
	w.Expect("tasklen k", "2")
}

// If a task is replaced while a call looks at it, and memcached evicts the data of the old one, the call looks at the new one.
func TestPeekingAtWhatIsReplaced(t *testing.T) {
	for _, viewed := range []bool{false, true} {
		w := verbtest.NewWorld(t, theVerbs)
		queue(w)
		if viewed {
			w.Kept = views.Eager([]byte("k"))
			w.Send("tasklen k")
		}
		w.Instead = func(op verbs.Op) (r verbs.Reply, instead bool) {
			if string(op.Key) == "k:"+nameB && op.Kind == verbs.Fetch {
				w.Instead = nil
				w.Evict("k:" + nameB)
				w.Put("k", fmt.Sprintf("%st=%d:%s:b ", dueLog, begun, nameC), 0, 0)
				w.Put("k:"+nameC, "new", 7, 0)
				return verbs.Reply{Status: verbs.Missing}, true
			}
			return r, false
		}
		w.Expect("taskpeek k b", "VALUE b 7 3 "+nameC+".0", "new", "END")
	}
}
