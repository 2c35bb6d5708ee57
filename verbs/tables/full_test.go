package tables

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// A row that the index of a table has no room for is refused, and so are the next without folding
// the index again, until rows have been deleted.
func TestFullTable(t *testing.T) {
	verbtest.NotUnderDetector(t)
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
	c := verbtest.NewCaller(t, w, theVerbs)
	operations := 0
	c.Start(set("k", field(0), "2"))
	for c.Busy() {
		operations++
		c.CarryOut(0, func(op verbs.Op) verbs.Reply { return w.Do(t, op) })
	}
	if !full(c.Answer) || operations > 10 {
		t.Errorf("an old row is answered %q after %d operations", c.Answer, operations)
	}
	for i := range 20 {
		w.Expect("hdel k "+field(i), "DELETED")
	}
	w.Clock += 1000
	w.Expect(set("k", field(n), "1"), "STORED")
	w.Expect("hget k "+field(n), rows(field(n)+" 1")...)
}
