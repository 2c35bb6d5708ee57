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
