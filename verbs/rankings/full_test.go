package rankings

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// Each member of a full ranking can be removed, whether increments are answered or not.
func TestFullRankingCanBeEmptied(t *testing.T) {
	verbtest.Long(t)
	for _, add := range []string{"zincrby", "zadd"} {
		w := verbtest.NewWorld(t, theVerbs)
		w.Direct, w.Limit = true, 1024
		member := func(n int) string { return fmt.Sprintf("%0200d", n) }
		n := 0
		for !strings.HasPrefix(w.Send(fmt.Sprintf("%s k 1 %s", add, member(n))), "SERVER_ERROR k is full: ") {
			if w.Clock += 10; n > 10_000 {
				t.Fatalf("%s: the ranking is never full", add)
			}
			n++
		}
		for i := range n {
			w.Expect("zrem k "+member(i), "STORED")
		}
		w.Expect("zcard k", "0")
		w.Clock += 1000
		w.Send(add + " k 1 another")
		w.Expect("zcard k", "1")
	}
}
