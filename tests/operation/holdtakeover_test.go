package operation

import (
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// A process that is replaced tells those who wait for somebody to store a value that it is missing, and then disconnects them. With
// its successor they wait as ever.
func TestTakeoverWhileGetsAreHeld(t *testing.T) {
	t.Parallel()
	store, addr := harness.StartMemcached(t, harness.Newest), harness.FreeAddr(t)
	s := harness.StartSuccession(t, "--listen", addr, "--loops", "2", "--timeout", "20s", "--hold-misses", "page:=1m", "--upstream", store.Addr)
	for i := range 3 {
		maker := harness.Dial(t, addr)
		maker.Ask("get page:1\r\n", "END\r\n")
		var waiting []*harness.Client
		for range 20 {
			c := harness.Dial(t, addr)
			c.Send("get page:1\r\n")
			waiting = append(waiting, c)
		}
		watch := harness.Dial(t, addr)
		harness.Await(t, "all gets to wait", func() bool {
			watch.Send("stats proxy\r\n")
			return strings.Contains(watch.Until("END"), "STAT held_now 20\r\n")
		})
		if i == 2 {
			maker.Ask("set page:1 0 0 1\r\nx\r\n", "STORED\r\n")
			for _, c := range waiting {
				c.Expect("VALUE page:1 0 1\r\nx\r\nEND\r\n")
				c.InStep()
			}
			return
		}
		s.Succeed(t)
		for _, c := range waiting {
			c.Expect("END\r\n")
			c.Closed()
		}
		maker.Closed()
		s.AwaitStopped(t, i+1)
	}
}
