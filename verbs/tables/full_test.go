package tables

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// A row that the index of a table has no room for is refused, and so are the next without folding
// the index again, for a second and ten times as long as that took, until rows have been deleted.
func TestFullTable(t *testing.T) {
	verbtest.Long(t)
	w := newWorld(t)
	w.Direct, w.Limit = true, 512
	field := func(n int) string { return fmt.Sprintf("%0200d", n) }
	full := func(answer string) bool { return strings.HasPrefix(answer, "SERVER_ERROR k is full: ") }
	n := 0
	for !full(w.Send(set("k", field(n), "1"))) {
		if n++; n > 10_000 {
			t.Fatal("the table is never full")
		}
	}
	refused := func() (operations int, took int64) {
		began := w.Clock
		c := verbtest.NewCaller(t, w, theVerbs)
		for c.Start(set("k", field(0), "2")); c.Busy(); operations++ {
			w.Clock += 2
			c.CarryOut(0, func(op verbs.Op) verbs.Reply { return w.Do(t, op) })
		}
		if !full(c.Answer) {
			t.Errorf("an old row is answered %q", c.Answer)
		}
		return operations, w.Clock - began
	}
	if operations, _ := refused(); operations > 10 {
		t.Errorf("the second is refused after %d operations", operations)
	}
	w.Clock += 1000
	operations, took := refused()
	if operations < 100 {
		t.Errorf("after a second the table is not folded: there were %d operations", operations)
	}
	for _, rest := range []int64{1000, took, 5 * took} {
		w.Clock += rest
		if operations, _ := refused(); operations > 10 {
			t.Errorf("%d ms later, when folding has taken %d ms, one is refused after %d operations", rest, took, operations)
		}
	}
	for i := range 20 {
		w.Expect("hdel k "+field(i), "DELETED")
	}
	w.Clock += 10 * took
	w.Expect(set("k", field(n), "1"), "STORED")
	w.Expect("hget k "+field(n), rows(field(n)+" 1")...)
}

// fullIndex puts a table without rows under k, whose index has 1200 fields in as many parts as it may have.
func fullIndex(w *verbtest.World) (field func(n int) string) {
	field = func(n int) string { return fmt.Sprintf("%0198d", n) }
	const generation = "GGGGGGGGGGGGGGGG"
	id, log := strings.Repeat("A", 16), ""
	for n := range 240 * 5 {
		log += "+" + field(n) + " "
	}
	for part := range 240 {
		w.Put(fmt.Sprintf("k:%s:%s.%d", generation, id, part), log[part*1000:(part+1)*1000], 0, 0)
	}
	w.Put("k", "h:"+generation+" ", 0, 0)
	w.Put("k:"+generation, fmt.Sprintf("@%s:240:%d ", id, len(log)), 0, 0)
	return field
}

// To drop fields without rows from an index takes no more memory than to fold it and to write it.
func TestFullTableIsMadeShorterInLittleMemory(t *testing.T) {
	w := newWorld(t)
	w.Direct, w.Limit, w.Memory = true, 1024, 620_000
	fullIndex(w)
	for n := range 60 {
		w.Expect(set("k", fmt.Sprintf("new%0100d", n), "1"), "STORED")
	}
	w.Expect("hlen k", "60")
	if parts := strings.Count(string(w.Items["k:GGGGGGGGGGGGGGGG"].Value), ":240:"); parts > 0 {
		t.Error("the index is as long as before")
	}
}

// A table whose index no call has the memory to fold says so, and what to do, where it has no room for a row. All rows can be
// read and deleted.
func TestFullTableThatCanNotBeFolded(t *testing.T) {
	w := newWorld(t)
	w.Direct, w.Limit, w.Memory = true, 1024, 300_000
	fullIndex(w)
	added, answer := 0, ""
	row := func(n int) string { return fmt.Sprintf("new%0100d", n) }
	for ; added < 400; added++ {
		if answer = w.Send(set("k", row(added), "1")); answer != "STORED\r\n" {
			break
		}
	}
	if !strings.HasPrefix(answer, "SERVER_ERROR k is full") || !strings.HasSuffix(answer, "raise --buffer-memory\r\n") {
		t.Errorf("after %d rows, it is answered %q", added, answer)
	}
	for n := range added {
		w.Expect("hget k "+row(n), rows(row(n)+" 1")...)
		w.Expect("hincr k "+row(n)+" 1", "2")
		w.Expect("hdel k "+row(n), "DELETED")
	}
	if answer := w.Send("hkeys k 0 10"); !strings.HasPrefix(answer, "SERVER_ERROR this takes ") {
		t.Errorf("a page is answered %q", answer)
	}
	w.Memory, w.Clock = 0, w.Clock+1000 // it was raised
	w.Expect(set("k", row(0), "1"), "STORED")
	w.Expect("hkeys k 0 10", "VALUE k 0 103", row(0), "END")
}
