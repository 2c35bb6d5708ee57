package tasks

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// Each task of a full queue can be taken and done.
func TestFullQueueCanBeEmptied(t *testing.T) {
	verbtest.NotUnderDetector(t)
	w := verbtest.NewWorld(t, theVerbs)
	w.Clock, w.Direct, w.Limit = begun, true, 1024
	n := 0
	for w.Send(put(fmt.Sprintf("%0200d", n), 1)) == "STORED\r\n" {
		n++
	}
	if answer := w.Send(put("another", 1)); !strings.HasPrefix(answer, "SERVER_ERROR k is full: ") {
		t.Fatalf("with %d tasks: %s", n, answer)
	}
	items := len(w.Items)
	w.Send(put("another", 1))
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
	w.Expect(put("another", 1), "STORED")
}
