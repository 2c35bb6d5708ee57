package limits

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// Many clients that read large sets at once take turns: all get them, and they
// are not all held at once.
func TestLargeSetsAreReadInTurns(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, "1.6.38")
	m := harness.StartPlainMemverbs(t, "--upstream", store.Addr, "--loops", "1")
	c := harness.Dial(t, m.Addr)
	const batches = 100 // 10 MB
	for batch := range batches {
		c.Ask("sadd k "+membersOf(batch, 500)+"\r\n", "STORED\r\n")
	}
	var all []string
	for batch := range batches {
		all = append(all, membersOf(batch, 500))
	}
	members := strings.Join(all, " ")
	reply := fmt.Sprintf("VALUE k 0 %d\r\n%s\r\nEND\r\n", len(members), members)
	var readers []*harness.Client
	for range 12 {
		r := harness.Dial(t, m.Addr)
		r.Send("smembers k\r\n")
		readers = append(readers, r)
	}
	for _, r := range readers {
		if r.Exactly(len(reply)) != reply {
			t.Error("the members are not those that were added")
		}
		r.InStep()
	}
	t.Logf("%.0f MB resident at most", float64(m.PeakMemory(t))/(1<<20))
}
