package tasks

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/structure/views"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// Each task of a full queue can be taken and done.
func TestFullQueueCanBeEmptied(t *testing.T) {
	verbtest.Long(t)
	w := verbtest.NewWorld(t, theVerbs)
	w.Clock, w.Direct, w.Limit = begun, true, 1024
	n := 0
	for w.Send(put(fmt.Sprintf("%0200d", n), 0)) == "STORED\r\n" {
		n++
	}
	if answer := w.Send(put("another", 0)); !strings.HasPrefix(answer, "SERVER_ERROR k is full: ") {
		t.Fatalf("with %d tasks: %s", n, answer)
	}
	items := len(w.Items)
	w.Send(put("another", 0))
	if len(w.Items) > items {
		t.Error("the content of a task that is refused is kept")
	}
	done := 0
	for range n {
		ids, stamps := taken(t, w.Send("tasktake k 600"))
		if len(ids) != 1 {
			t.Fatalf("after %d tasks of %d: nothing is taken", done, n)
		}
		w.Expect("taskdone k "+stamps[0], "DELETED")
		done++
	}
	w.Expect("tasklen k", "0")
	w.Clock += 1000
	w.Expect(put("another", 0), "STORED")
}

// All tasks of a full queue can be taken before any is done, and given back, which makes the queue
// longer; and after that each can be dropped.
func TestFullQueueOfAttemptedTasksCanBeEmptied(t *testing.T) {
	verbtest.Long(t)
	w := verbtest.NewWorld(t, theVerbs)
	w.Clock, w.Direct, w.Limit, w.Kept = begun, true, 1024, views.Eager([]byte("k"))
	id := func(n int) string { return fmt.Sprintf("%04d", n) }
	n := 0
	for w.Send(put(id(n), begun-1)) == "STORED\r\n" {
		n++
	}
	if n < 1000 {
		t.Fatalf("%d tasks fill a queue", n)
	}
	var stamps []string
	for len(stamps) < n {
		_, more := taken(t, w.Send("tasktake k 600 10"))
		if len(more) == 0 {
			t.Fatalf("nothing is taken after %d of %d tasks", len(stamps), n)
		}
		stamps = append(stamps, more...)
	}
	for i := 0; i < n; i += 10 {
		w.Expect(fmt.Sprintf("taskretry k %s %d", stamps[i], begun+3_600_000), "STORED")
	}
	w.Expect("tasklen k", fmt.Sprint(n))
	for i := range n {
		w.Expect("taskdrop k "+id(i), "DELETED")
	}
	w.Expect("tasklen k", "0")
}
