package limits

import (
	"fmt"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// Ten thousand gets wait for a hundred values that other clients store, and get them. What each of them takes is bounded, in
// addition to its connection.
func TestManyHeldGets(t *testing.T) {
	const makers, all, each = 100, 10_000, 4 << 10
	store := harness.StartMemcached(t, harness.Newest)
	m := harness.StartPlainMemverbs(t, "--max-clients", "20000", "--timeout", "20s", "--hold-misses", "page:=1m", "--upstream", store.Addr)
	var clients []*harness.Client
	for i := range all + makers {
		c := harness.Dial(t, m.Addr)
		c.Ask("get other\r\n", "END\r\n")
		if clients = append(clients, c); i < makers {
			c.Ask(fmt.Sprintf("get page:%d\r\n", i), "END\r\n")
		}
	}
	before := m.PeakMemory(t)
	for i, c := range clients[makers:] {
		c.Send(fmt.Sprintf("get page:%d\r\n", i%makers))
	}
	harness.Await(t, "all to wait", func() bool { return m.OwnStats()["held_now"] == fmt.Sprint(all) })
	more := m.PeakMemory(t) - before
	t.Logf("each takes %d bytes", more/all)
	if more > all*each {
		t.Errorf("%d gets that wait take %d bytes each, more than %d", all, more/all, each)
	}
	for i, c := range clients[:makers] {
		c.Ask(fmt.Sprintf("set page:%d 0 0 1\r\nx\r\n", i), "STORED\r\n")
	}
	for i, c := range clients[makers:] {
		c.Expect(fmt.Sprintf("VALUE page:%d 0 1\r\nx\r\nEND\r\n", i%makers))
	}
	harness.Await(t, "nobody to wait", func() bool { return m.OwnStats()["held_now"] == "0" })
	for _, c := range clients[:makers] {
		c.InStep()
	}
}
