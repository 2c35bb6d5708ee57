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

// A queue counts as full before no call has the memory to read it: nothing could be taken from it then, nor be dropped.
func TestFullQueueThatCanNotBeFolded(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	w.Clock, w.Direct, w.Memory = begun, true, 120_000
	w.Settings.StructureItemSize = 4 << 10
	n, answer := 0, ""
	for ; n < 10_000; n++ {
		if answer = w.Send(put(fmt.Sprint(n), begun)); answer != "STORED\r\n" {
			break
		}
	}
	if !strings.HasPrefix(answer, "SERVER_ERROR k is full: there is no room for ") || !strings.HasSuffix(answer, " MB of memory, and a single request may have 0; remove some of it, or raise --buffer-memory\r\n") {
		t.Errorf("after %d tasks, it is answered %q", n, answer)
	}
	for done := 0; done < n && !t.Failed(); {
		_, stamps := taken(t, w.Send("tasktake k 600 10"))
		if len(stamps) == 0 {
			t.Fatalf("nothing is taken after %d of %d tasks", done, n)
		}
		for _, stamp := range stamps {
			w.Expect("taskkeep k "+stamp+" 700", "STORED")
		}
		for _, stamp := range stamps {
			w.Expect("taskdone k "+stamp, "DELETED")
		}
		done += len(stamps)
	}
	w.Expect("tasklen k", "0")
	w.Clock += 1000
	w.Expect(put("another", begun), "STORED")
}

// To make a full queue shorter takes no more memory than to fold it and to write what is left.
func TestFullQueueIsMadeShorterInLittleMemory(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	w.Clock, w.Direct, w.Limit, w.Memory = begun, true, 1024, 170_000
	id, log := strings.Repeat("A", 16), ""
	for n := range 240 {
		log += fmt.Sprintf("t=%d:%016d:%0164d ", int64(begun), n, n)
	}
	for n := range 235 {
		log += fmt.Sprintf("t-:%0164d ", n)
	}
	parts := 0
	for rest := log; rest != ""; parts++ {
		n := min(len(rest), 850)
		w.Put(fmt.Sprintf("k:%s.%d", id, parts), rest[:n], 0, 0)
		rest = rest[n:]
	}
	w.Put("k", fmt.Sprintf("@%s:%d:%d:t ", id, parts, len(log)), 0, 0)
	for n := range 60 {
		w.Expect(put(fmt.Sprint(n), begun), "STORED")
	}
	w.Expect("tasklen k", "65")
}
